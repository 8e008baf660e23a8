/* Strings in an arena, and the nearest of a list of names. */
#ifndef LMB_BASE_TEXT_H
#define LMB_BASE_TEXT_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "limber/context.h"

/* A copy of length characters, ended by a zero; NULL when out of memory. */
char *lmb_text_copy(lmb_arena *arena, const char *text, size_t length);
char *lmb_text_format(lmb_arena *arena, const char *format, ...) LMB_PRINTF(2, 3);
char *lmb_text_vformat(lmb_arena *arena, const char *format, va_list args);

/* Adds to the text in a buffer of a size; what does not fit is cut. */
void lmb_text_append(char *text, size_t size, const char *format, ...) LMB_PRINTF(3, 4);

/* The number of characters in so many bytes of UTF-8. */
int lmb_text_characters(const char *text, size_t length);

/* Whether a name has this end and something before it. */
bool lmb_ends_with(const char *name, const char *end);

/* The name of a file in its path, and how long it is without its ending. */
const char *lmb_file_name(const char *path);
int lmb_file_stem(const char *name);

/* The name of a list nearest to a mistyped word, or NULL when none is near;
 * feed candidates one by one. */
typedef struct lmb_nearest {
    const char *word, *best;
    int distance;
} lmb_nearest;

lmb_nearest lmb_nearest_start(const char *word);
void lmb_nearest_try(lmb_nearest *nearest, const char *candidate);

/* Adds "did you mean 'x'?" to the newest message, if something was near. */
void lmb_nearest_hint(lmb_context *context, const lmb_nearest *nearest);

#endif
