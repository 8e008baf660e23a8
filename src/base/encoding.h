/* Texts that are not written in UTF-8. */
#ifndef LMB_BASE_ENCODING_H
#define LMB_BASE_ENCODING_H

#include <stddef.h>

#include "base/arena.h"

/* A copy of length bytes as UTF-8, of which those that are not are taken for Latin 1; NULL when out
 * of memory. */
char *lmb_text_utf8(lmb_arena *arena, const char *text, size_t length);

/* UTF-16 (little endian with its mark, as Windows writes it) as UTF-8, to be freed; *length becomes
 * that of the new text. NULL: out of memory. */
char *lmb_utf16_narrow(const char *bytes, size_t *length);

#endif
