/* Texts that CMake puts into the library and the program (cmake/Embed.cmake). */
#ifndef LMB_BASE_EMBEDDED_H
#define LMB_BASE_EMBEDDED_H

typedef struct lmb_embedded_text {
    const char *name, *text;
} lmb_embedded_text;

#endif
