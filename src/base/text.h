/* Strings in an arena, and the nearest of a list of names. */
#ifndef LMB_BASE_TEXT_H
#define LMB_BASE_TEXT_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/format.h"
#include "limber/context.h"

/* A copy of length characters, ended by a zero; NULL when out of memory. */
char *lmb_text_copy(lmb_arena *arena, const char *text, size_t length);
char *lmb_text_format(lmb_arena *arena, const char *format, ...) LMB_PRINTF(2, 3);
char *lmb_text_vformat(lmb_arena *arena, const char *format, va_list args);

/* A duration as a person would say it, such as "40 s" or "2.5 h". */
void lmb_text_duration(char text[32], double seconds);

/* A copy of length bytes as UTF-8, of which those that are not are taken for Latin 1; NULL when out
 * of memory. */
char *lmb_text_utf8(lmb_arena *arena, const char *text, size_t length);

/* The character of UTF-8 that a text, ended by a zero, begins with; returns its bytes, 0 where they
 * are not UTF-8 (as an overlong form, a surrogate or a piece of a character). */
size_t lmb_utf8_scan(const char *text, unsigned *code);

/* The number of bytes of a character of UTF-8 that begins with this byte. */
size_t lmb_utf8_length(char first);

/* Whether a character controls a terminal or the direction of text. */
bool lmb_is_control(unsigned code);

/* Write the first character of a text as it is safe to print: controls become \x1b or \u202e, a
 * byte that is not UTF-8 becomes \xff. Returns the bytes of the character in the text. */
enum { LMB_SHOWN_ROOM = 8 };
size_t lmb_text_show(const char *text, char shown[LMB_SHOWN_ROOM]);

/* UTF-16 (little endian with its mark, as Windows writes it) as UTF-8, to be freed; *length becomes
 * that of the new text. NULL: out of memory. */
char *lmb_utf16_narrow(const char *bytes, size_t *length);

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

/* The number of a word among the names that an array of structs of a size begin with (count -1: up
 * to one without a name); -1 where it is none of them, and *nearest has the nearest. */
int lmb_find_name(const void *list, size_t size, int count, const char *word, lmb_nearest *nearest);

/* Adds "did you mean 'x'?" to the newest message, in place of another hint, if something was near.
 */
lmb_status lmb_nearest_hint(lmb_context *context, const lmb_nearest *nearest);

/* Says that there is no such thing as the word that the nearest was looked for; hints at the
 * nearest, or says otherwise. Returns LMB_USAGE. */
lmb_status lmb_fail_choice(lmb_context *context, const char *what, const lmb_nearest *near,
                           const char *otherwise);

/* Bytes as base64 text. */

void lmb_put_base64(FILE *out, const unsigned char *bytes, size_t size);

/* The same with the number of bytes, in four bytes, in front, as VTK's files have them. */
void lmb_put_base64_sized(FILE *out, const void *bytes, size_t size);

/* The bytes of a base64 text of `length` characters, at most three for every four; returns how
 * many. What follows a character that base64 does not have is left out. */
size_t lmb_base64_read(unsigned char *bytes, const char *text, size_t length);

#endif
