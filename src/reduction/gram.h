/* The invariants and the stiffening of a reduced body: the inner side of reduced.h. */
#ifndef LMB_REDUCTION_GRAM_H
#define LMB_REDUCTION_GRAM_H

#include "fe/beam.h"
#include "reduction/reduced.h"

/* Displacement and rotation of a node in a mode. */
static inline lmb_nodal lmb_reduced_shape_at(const lmb_reduced *r, int mode, int node)
{
    size_t at = 3 * ((size_t)mode * (size_t)r->node_count + (size_t)node);
    const double *s = r->shape + at, *t = r->turn ? r->turn + at : NULL;
    return (lmb_nodal){v3(s[0], s[1], s[2]), t ? v3(t[0], t[1], t[2]) : v3(0, 0, 0)};
}

/* Fills gram of a body whose shapes are known. */
lmb_status lmb_find_gram(lmb_reduced *reduced, lmb_context *context, const lmb_fe_model *model);

/* Puts the sections of beams and the inertias of point masses in it, where the mass matrix alone
 * does not tell what they do; called by lmb_find_gram. */
lmb_status lmb_correct_sections(lmb_reduced *reduced, lmb_context *context,
                                const lmb_fe_model *model);

/* Fills spin_stiffness and mode_stiffness of a body whose modes are known. The basis must have kept
 * its factor; X are all modes of the body in its frame, in the coordinates of the basis. */
lmb_status lmb_find_stiffening(lmb_reduced *reduced, lmb_context *context,
                               const lmb_craig_bampton *basis, const double *X,
                               lmb_body_frame frame);

#endif
