/* Systems of units of meshes and matrices, made SI. */
#ifndef LMB_IMPORT_UNITS_H
#define LMB_IMPORT_UNITS_H

#include "base/message.h"
#include "fe/fe_model.h"

/* A unit in SI: so many over so many. Powers of ten are whole numbers on one side or the other, so
 * that a value is rounded once. */
typedef struct lmb_ratio {
    double over, under;
} lmb_ratio;

/* Multiplies a ratio by a power of another. */
void lmb_ratio_times(lmb_ratio *product, lmb_ratio factor, int power);

typedef struct lmb_units {
    const char *name, *doc;
    lmb_ratio length, mass, time;
} lmb_units;

/* The systems, ended by a name of NULL; SI is the first. */
extern const lmb_units lmb_unit_systems[];

/* The system of a name, or NULL after a message at a place. */
const lmb_units *lmb_units_of(lmb_context *context, lmb_place place, const char *name);

/* The value in SI of one in units of length^l mass^m time^t. */
double lmb_units_scale(const lmb_units *units, double value, int l, int m, int t);

/* Return true if a part is larger than plausible: longer than 100 m or heavier than 100 t. Sets
 * `length` to the longest side of the box around its nodes. */
bool lmb_looks_too_large(const vec3 *x, int count, double mass, double *length);

void lmb_units_mesh(const lmb_units *units, lmb_mesh *mesh);

/* The matrices of a model; an entry's unit follows from the directions of its row and column.
 * The nodes are left alone. */
void lmb_units_matrices(const lmb_units *units, lmb_fe_model *model);

#endif
