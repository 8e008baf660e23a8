/* Pictures as PNG files: red, green and blue of eight bits each. */
#ifndef LMB_EXPORT_PNG_H
#define LMB_EXPORT_PNG_H

#include <stddef.h>
#include <stdint.h>

#include "limber/context.h"

/* The file of a picture, as bytes to be freed. Pixels are 0xrrggbb, row by row from the top, whose
 * beginnings are `stride` pixels apart. */
lmb_status lmb_png_encode(lmb_context *context, const uint32_t *pixels, int width, int height,
                          int stride, unsigned char **bytes, size_t *size);

#endif
