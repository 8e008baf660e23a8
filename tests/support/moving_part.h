/* Flexible bodies whose frame moves in a known way, for tests of what is left: their modes. */
#ifndef LMB_TESTS_MOVING_PART_H
#define LMB_TESTS_MOVING_PART_H

#include "bodies/flexible.h"

enum { PART_ROOM = 80 }; /* most coordinates */

typedef struct part {
    lmb_mesh *mesh;
    lmb_fe_model *fe;
    lmb_reduced *reduced;
    lmb_arena *arena;
    lmb_modal *modal;
    lmb_body body;
    lmb_flexible *own; /* of the body */
    void *deformed;    /* of the place that was last asked for */
} part;

/* Reduces a beam with interface points A at its first node and B at another one (-1: none). */
part reduce_part(lmb_mesh *mesh, int last, lmb_reduction options);

/* Makes the flexible body of what was reduced. */
void make_body(part *part, int dimension);

/* The body with coordinates and velocities, until the next one. */
lmb_body_at part_at(const part *part, const double *q, const double *v);
void drop_part(part *p);

/* Finds the deformation in which a body rests in its frame, which moves steadily, under modal
 * forces (NULL: none), from that of q on. */
void part_settle(const part *p, double *q, double *v, const double *load);

/* Circular frequencies of the modal coordinates of a body whose frame moves steadily, ascending;
 * their number. */
int part_frequencies(const part *p, const double *q, const double *v, double *out);

/* Fails unless the frequency nearest to the expected one is within a tolerance of it. */
void assert_found(const double *found, int count, double expected, double tolerance);

#endif
