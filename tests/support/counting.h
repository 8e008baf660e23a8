/* Counting allocations, by standing in front of malloc (not under AddressSanitizer: always 0). */
#ifndef TESTS_COUNTING_H
#define TESTS_COUNTING_H

/* How often memory was allocated so far in this process. */
unsigned long allocations(void);

#endif
