package envelope

import (
	"bytes"
	"crypto/sha1"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"

	"ctxptr/authority"
)

// packetInHandoff holds that a handoff has nothing of the Delivery Context Packet:
// no key of it, no digest of it, no pointer to it, no text that is one.
func packetInHandoff(c *check) {
	own, packet := schemaOf("handoff"), schemaOf("packet")
	for _, m := range c.root.members {
		key := m.value.key
		if _, ok := own.Properties[key]; !ok && (packet.Properties[key] != nil || slices.Contains(packetKeys, key)) {
			c.add(PacketInHandoff, m.at, m.value.path(), "the key "+authority.Quote(key)+" belongs to the packet alone")
		}
	}
	for _, s := range c.pointers {
		if data, ok := s.bytes(); ok && isPacket(data) {
			c.addAt(s.node, PacketInHandoff, "what the pointer names is a Delivery Context Packet")
		}
	}
	digests := packetDigests(c.options.Packet)
	for _, s := range c.pointers {
		if holdsOne(s.pointer.String(), digests) {
			c.addAt(s.node, PacketInHandoff, "the pointer states a digest of the packet")
		}
	}
	for _, n := range c.texts {
		if isPacket([]byte(n.text)) {
			c.addAt(n, PacketInHandoff, "the text holds a Delivery Context Packet")
		}
		if holdsOne(n.text, digests) {
			c.addAt(n, PacketInHandoff, "the text holds a digest of the packet")
		}
	}
}

// holdsOne reports whether a text holds one of the digests, in capitals or not.
func holdsOne(text string, digests []string) bool {
	text = strings.ToLower(text)
	return slices.ContainsFunc(digests, func(d string) bool { return strings.Contains(text, d) })
}

// packetKeys are names under which a packet, or a digest of it, has been put into
// a handoff.
var packetKeys = []string{
	"delivery_context_packet", "context_packet", "packet",
	"packet_identity", "packet_digest", "packet_hash", "packet_sha256",
}

// isPacket reports whether bytes hold a JSON object with every key of a packet,
// whatever stands before and behind it.
func isPacket(data []byte) bool {
	from, to := bytes.IndexByte(data, '{'), bytes.LastIndexByte(data, '}')
	if from < 0 || to < from {
		return false
	}
	data = data[from : to+1]
	doc := newDocument(data)
	doc.read()
	return doc.root != nil && !slices.ContainsFunc(schemaOf("packet").Required, func(key string) bool { return doc.root.get(key) == nil })
}

// packetDigests returns the digests, in lower-case hexadecimal, by which a packet
// of these bytes could be named; none where no packet is given.
func packetDigests(packet []byte) []string {
	if packet == nil {
		return nil
	}
	blob := fmt.Appendf(nil, "blob %d\x00%s", len(packet), packet)
	git := sha1.Sum(blob)
	return []string{
		authority.BLAKE3Sum(packet).Hex(), authority.SHA256Sum(packet).Hex(),
		hex.EncodeToString(git[:]), authority.SHA256Sum(blob).Hex(),
	}
}
