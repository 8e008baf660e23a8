/* Writing MATLAB's MAT-files, Level 5, uncompressed and little-endian, as MATLAB, Octave and SciPy
 * read them. */
#ifndef LMB_EXPORT_MAT_H
#define LMB_EXPORT_MAT_H

#include <stdio.h>

#include "base/file.h"

typedef struct lmb_mat {
    lmb_output output;
    FILE *file; /* of the output */
    bool too_large;
} lmb_mat;

/* Creates (or replaces) a file; the path must outlive it. */
lmb_status lmb_mat_open(lmb_mat *out, lmb_context *context, const char *path);

/* Adds a matrix of numbers, stored by columns. */
void lmb_mat_matrix(lmb_mat *mat, const char *name, int rows, int columns, const double *values);

/* Adds a text, and a list of texts as a cell array (count x 1). */
void lmb_mat_text(lmb_mat *mat, const char *name, const char *text);
void lmb_mat_texts(lmb_mat *mat, const char *name, int count, const char *const *texts);

/* Closes the file; a failure to write anything is reported here. After a status that is a failure,
 * which is returned, nothing is left of it. */
lmb_status lmb_mat_close(lmb_mat *mat, lmb_context *context, lmb_status status);

#endif
