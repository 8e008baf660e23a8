/* Text and numbers in the C locale, whatever locale the program that uses the library has set.
 *
 * A decimal comma in the locale of the host must change no file, no message and no number that is
 * read, and the host and its callbacks must keep their locale. So these functions take the C
 * locale for the time of one conversion, in the calling thread only. The test `layers` sees to it
 * that the library uses no function of the standard library that depends on the locale. */
#ifndef LMB_BASE_FORMAT_H
#define LMB_BASE_FORMAT_H

#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "limber/context.h"

#if defined(__GNUC__)
#define LMB_SCANF(index, first) __attribute__((format(scanf, index, first)))
#else
#define LMB_SCANF(index, first)
#endif

/* The functions of the standard library of these names, in the C locale. */
int lmb_fprintf(FILE *out, const char *format, ...) LMB_PRINTF(2, 3);
int lmb_snprintf(char *text, size_t size, const char *format, ...) LMB_PRINTF(3, 4);
int lmb_vsnprintf(char *text, size_t size, const char *format, va_list args) LMB_PRINTF(3, 0);
int lmb_fscanf(FILE *in, const char *format, ...) LMB_SCANF(2, 3);
int lmb_sscanf(const char *text, const char *format, ...) LMB_SCANF(2, 3);
double lmb_strtod(const char *text, char **end);

/* A number for printing: a NaN without its sign, which would print as "-nan". */
static inline double lmb_unsigned_nan(double x)
{
    return isnan(x) ? NAN : x;
}

/* Letters and digits of ASCII. */

static inline bool lmb_is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static inline bool lmb_is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static inline bool lmb_is_letter_or_digit(char c)
{
    return lmb_is_letter(c) || lmb_is_digit(c);
}

static inline char lmb_to_lower(char c)
{
    return (char)(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
}

static inline char lmb_to_upper(char c)
{
    return (char)(c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c);
}

/* Return whether two texts, or their first `length` bytes, agree apart from the case of letters. */
bool lmb_same_letters(const char *a, const char *b);
bool lmb_same_letters_in(const char *a, const char *b, size_t length);

#endif
