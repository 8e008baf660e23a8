/* Base64: three bytes as four characters, the last ones filled up with '='. */
#include "base/text.h"

#include <stdint.h>
#include <string.h>

static const char base64[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

void lmb_put_base64(FILE *out, const unsigned char *bytes, size_t size)
{
    char line[4 * 1024];
    size_t used = 0;
    for (size_t i = 0; i < size; i += 3) {
        size_t left = size - i;
        uint32_t three = (uint32_t)bytes[i] << 16 | (left > 1 ? (uint32_t)bytes[i + 1] << 8 : 0) |
                         (left > 2 ? bytes[i + 2] : 0);
        line[used++] = base64[three >> 18];
        line[used++] = base64[three >> 12 & 63];
        line[used++] = left > 1 ? base64[three >> 6 & 63] : '=';
        line[used++] = left > 2 ? base64[three & 63] : '=';
        if (used == sizeof line || left <= 3) {
            fwrite(line, 1, used, out);
            used = 0;
        }
    }
}

void lmb_put_base64_sized(FILE *out, const void *bytes, size_t size)
{
    /* the first two bytes join the number, so that no padding comes in between */
    const unsigned char *from = bytes;
    unsigned char head[6] = {size & 255, size >> 8 & 255, size >> 16 & 255, size >> 24 & 255};
    size_t joined = size < 2 ? size : 2;
    memcpy(head + 4, from, joined);
    lmb_put_base64(out, head, 4 + joined);
    if (size > joined)
        lmb_put_base64(out, from + joined, size - joined);
}

size_t lmb_base64_read(unsigned char *bytes, const char *text, size_t length)
{
    size_t size = 0;
    uint32_t kept = 0; /* bits that have not made a byte yet */
    int bits = 0;
    for (size_t i = 0; i < length; i++) {
        const char *at = text[i] ? strchr(base64, text[i]) : NULL;
        if (!at)
            break;
        kept = kept << 6 | (uint32_t)(at - base64);
        bits += 6;
        if (bits >= 8) {
            bits -= 8;
            bytes[size++] = (unsigned char)(kept >> bits & 255);
        }
    }
    return size;
}
