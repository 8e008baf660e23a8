/* Texts carried inside the program, made by CMake: models from examples/, and the page of the
 * viewer from viewer/. */
#ifndef LMB_CLI_TEMPLATES_H
#define LMB_CLI_TEMPLATES_H

typedef struct lmb_embedded_text {
    const char *name, *text;
} lmb_embedded_text;

extern const lmb_embedded_text lmb_templates[]; /* ends with {0, 0} */
extern const lmb_embedded_text lmb_viewer[]; /* one, without a place for data if it was not built */

#endif
