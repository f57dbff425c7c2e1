#include <stdint.h>

// leap_source says which text is parsed next.
void leap_source(const char *text, uint32_t length);

// leap_kotlin returns a copy of the Kotlin grammar that leaps, or the grammar
// itself where it is another one than was expected.
const void *leap_kotlin(const void *grammar);
