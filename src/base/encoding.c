/* Texts in Latin 1 and UTF-16; see encoding.h. */
#include "base/encoding.h"

#include <stdbool.h>
#include <stdlib.h>

char *lmb_text_utf8(lmb_arena *arena, const char *text, size_t length)
{
    char *out = lmb_arena_alloc(arena, 2 * length + 1, 1);
    size_t used = 0;
    for (size_t i = 0; out && i < length; i++) {
        unsigned char c = (unsigned char)text[i];
        size_t more = c >= 0xf0 ? 3 : c >= 0xe0 ? 2 : c >= 0xc2 ? 1 : 0;
        bool whole = c < 0x80 || (more > 0 && i + more < length);
        for (size_t k = 1; whole && k <= more; k++)
            whole = ((unsigned char)text[i + k] & 0xc0) == 0x80;
        for (size_t k = 0; whole && k <= more; k++)
            out[used++] = text[i + k];
        i += whole ? more : 0;
        if (!whole) {
            out[used++] = (char)(0xc0 | c >> 6);
            out[used++] = (char)(0x80 | (c & 0x3f));
        }
    }
    return out;
}

char *lmb_utf16_narrow(const char *bytes, size_t *length)
{
    char *out = malloc(*length * 2 + 1);
    size_t used = 0;
    for (size_t i = 2; out && i + 1 < *length; i += 2) {
        unsigned c = (unsigned char)bytes[i] | (unsigned)(unsigned char)bytes[i + 1] << 8;
        if (c < 0x80) {
            out[used++] = (char)c;
        } else if (c < 0x800) {
            out[used++] = (char)(0xc0 | c >> 6);
            out[used++] = (char)(0x80 | (c & 0x3f));
        } else {
            out[used++] = (char)(0xe0 | c >> 12);
            out[used++] = (char)(0x80 | (c >> 6 & 0x3f));
            out[used++] = (char)(0x80 | (c & 0x3f));
        }
    }
    if (out)
        out[ *length = used] = 0;
    return out;
}
