package src

// Hour is the hour the user chose.
var Hour = 9
