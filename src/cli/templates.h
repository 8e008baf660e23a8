/* Model texts carried inside the program, made by CMake from examples/. */
#ifndef LMB_CLI_TEMPLATES_H
#define LMB_CLI_TEMPLATES_H

typedef struct lmb_embedded {
    const char *name, *text;
} lmb_embedded;

extern const lmb_embedded lmb_templates[]; /* ends with {0, 0} */

#endif
