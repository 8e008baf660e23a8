/* What the tests share: cmocka with the headers it needs, and a few assertions of our own. */
#ifndef LMB_TESTS_SUPPORT_H
#define LMB_TESTS_SUPPORT_H

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>

#include "limber/context.h"

/* Fails unless |value - expected| <= tolerance * max(1, |expected|). */
void assert_close(double value, double expected, double tolerance);

/* Fails unless two numbers are the same to the last bit; NaN is NaN. */
void assert_same_number(double value, double expected);

/* Fails unless the text or the hint of the newest message contains a piece. */
void assert_message(const lmb_context *context, const char *piece);

#endif
