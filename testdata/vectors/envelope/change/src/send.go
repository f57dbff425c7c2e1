package src

// Send sends one reminder, once a day.
func Send() {}
