/* Bytes as base64 text. */
#ifndef LMB_BASE_BASE64_H
#define LMB_BASE_BASE64_H

#include <stddef.h>
#include <stdio.h>

void lmb_put_base64(FILE *out, const unsigned char *bytes, size_t size);

/* The same with the number of bytes, in four bytes, in front, as VTK's files have them. */
void lmb_put_base64_sized(FILE *out, const void *bytes, size_t size);

/* The bytes of a base64 text of `length` characters, at most three for every four; returns how
 * many. What follows a character that base64 does not have is left out. */
size_t lmb_base64_read(unsigned char *bytes, const char *text, size_t length);

#endif
