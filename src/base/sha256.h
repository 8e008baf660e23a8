/* SHA-256 (FIPS 180-4): names for contents. */
#ifndef LMB_BASE_SHA256_H
#define LMB_BASE_SHA256_H

#include <stddef.h>
#include <stdint.h>

enum { LMB_SHA256_TEXT = 65 }; /* 64 hexadecimal digits and a zero */

typedef struct lmb_sha256 {
    uint32_t h[8];
    uint64_t size; /* bytes so far */
    unsigned char block[64];
} lmb_sha256;

lmb_sha256 lmb_sha256_start(void);
void lmb_sha256_add(lmb_sha256 *sha, const void *bytes, size_t size);
void lmb_sha256_end(lmb_sha256 *sha, char text[LMB_SHA256_TEXT]);

#endif
