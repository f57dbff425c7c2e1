package gitref

import "golang.org/x/sys/windows"

// ownedFile reports whether a file belongs to the user, or to the administrators
// while the user acts as one of them.
func ownedFile(name string, _ *environment) bool {
	sd, err := windows.GetNamedSecurityInfo(name, windows.SE_FILE_OBJECT, windows.OWNER_SECURITY_INFORMATION)
	if err != nil {
		return false
	}
	owner, _, err := sd.Owner()
	if err != nil {
		return false
	}
	token := windows.GetCurrentProcessToken()
	user, err := token.GetTokenUser()
	if err != nil {
		return false
	}
	if owner.Equals(user.User.Sid) {
		return true
	}
	member, err := windows.Token(0).IsMember(owner)
	return err == nil && member && owner.IsWellKnown(windows.WinBuiltinAdministratorsSid)
}
