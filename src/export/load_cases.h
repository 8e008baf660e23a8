/* Loads of a flexible body over time as load cases for a finite element program: what acts on its
 * interface points, how they are displaced, and the acceleration of its frame, whose inertia forces
 * balance them. All in the axes and coordinates of the mesh. */
#ifndef LMB_EXPORT_LOAD_CASES_H
#define LMB_EXPORT_LOAD_CASES_H

#include <stdio.h>

#include "base/arena.h"
#include "base/span.h"
#include "limber/result.h"
#include "math/vec.h"

typedef struct lmb_load_point {
    const char *name;
    vec3 x;
    int node; /* its number, 0: none is there */
} lmb_load_point;

/* Numbers of an instant: those of the points one after the other, then of the frame. */
enum {
    LMB_LOAD_FORCE,
    LMB_LOAD_TORQUE = 3,
    LMB_LOAD_MOVE = 6,
    LMB_LOAD_TURN = 9,
    LMB_LOAD_NUMBERS = 12
};
/* Of the point of the frame that is the origin of the mesh: acceleration less gravity; angular
 * velocity and acceleration. */
enum { LMB_LOAD_ACCELERATION, LMB_LOAD_SPIN = 3, LMB_LOAD_SPIN_RATE = 6, LMB_LOAD_FRAME = 9 };

typedef struct lmb_load_cases {
    lmb_arena *arena;
    const char *body, *analysis;
    int dimension;
    int point_count, count; /* instants */
    lmb_load_point *points;
    double *time;
    double *numbers; /* count x lmb_load_width */
} lmb_load_cases;

static inline int lmb_load_width(const lmb_load_cases *c)
{
    return c->point_count * LMB_LOAD_NUMBERS + LMB_LOAD_FRAME;
}

/* Reads them from an analysis of a result, at its instants in a span. To be freed with
 * lmb_arena_free(cases->arena). */
lmb_status lmb_load_cases_read(lmb_load_cases **out, lmb_context *context, lmb_result *result,
                               int analysis, const char *body, lmb_span span);

/* Formats by the ending of a file's name: .csv; .inp of CalculiX and Abaqus; .mac of Ansys. NULL:
 * another. `displacements`: the points are moved instead of loaded. */
typedef void lmb_load_writer(const lmb_load_cases *cases, bool displacements, FILE *out);
lmb_load_writer *lmb_load_writer_of(const char *path);

#endif
