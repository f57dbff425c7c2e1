// Package envelope checks the closed envelopes in which Context Pointers travel:
// packets, results, gates, handoffs and reviews. It reads and answers; it never
// writes, stores or decides.
//
// Start with kind.go for the table of envelopes, then validate.go for what is
// checked. What a JSON Schema can say stands in schema/*.json; the rules beside
// them are Go. Where the contract publishes no key names, those of the schemas
// are the profile ctxptr.profile/v1, snake_case in the contract's own words.
//
// What else follows mechanically from the contract: identify.go (its hashes, from
// the table in recipe.go), reviewreport.go (retained reports of every version),
// receipt.go, route.go (the triggers stand in trigger.go) and normalize.go.
package envelope
