/* Whether results are complete and have the same bits. */
#ifndef TESTS_SAME_RESULTS_H
#define TESTS_SAME_RESULTS_H

#include <stdbool.h>

/* Whether a result is that of a run that has not come to its end. */
bool has_checkpoint(const char *path);

/* Fails unless two results are complete and all their channels have the same bits. */
void assert_same_results(const char *one, const char *other);

#endif
