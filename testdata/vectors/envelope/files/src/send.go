package src

// Send sends one reminder.
func Send() {}
