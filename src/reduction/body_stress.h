/* What a body file has of stresses: those of the modes, and of the columns of the basis to look at.
 *
 * A column of the basis is only shown alone, so of solids its von Mises stress is enough. */
#ifndef LMB_REDUCTION_BODY_STRESS_H
#define LMB_REDUCTION_BODY_STRESS_H

#include "fe/fe_model.h"
#include "reduction/body_data.h"

/* Matrices may come with a mesh that has no materials; then there are no stresses. */
bool lmb_has_materials(const lmb_mesh *mesh);

/* Room for the section forces of beams, and stresses and forces of all modes. */
lmb_status lmb_add_stress(lmb_body_data *data, lmb_context *context, const lmb_fe_model *model);

/* Looks at the columns of a basis while they are there (lmb_reduction): fills basis_mises, at the
 * nodes that are drawn, and basis_forces of a body whose surface is known. */
typedef struct lmb_basis_looker {
    lmb_body_data *data;
    const lmb_fe_model *model;
    const int *drawn;
    int drawn_count;
} lmb_basis_looker;

lmb_status lmb_look_at_basis(void *looker, lmb_context *context, int columns, const double *U);

#endif
