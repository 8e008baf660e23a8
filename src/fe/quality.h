/* Whether a mesh can be computed with: references, materials, sections and the shape of elements.
 */
#ifndef LMB_FE_QUALITY_H
#define LMB_FE_QUALITY_H

#include "fe/element.h"

/* Fails with messages that name the elements; warns of bad ones. */
lmb_status lmb_mesh_check(const lmb_mesh *mesh, const lmb_element_tables *tables,
                          lmb_context *context);

/* The shape of a solid. */
typedef struct lmb_solid_quality {
    double volume;
    double least;    /* least Jacobian at integration points over the mean: 1 at best */
    double at_nodes; /* the same at the nodes */
    double shape;    /* tetrahedra: 3 inner / outer radius; hexahedra: least scaled Jacobian of
                        corners: 1 at best, 0 if flat */
    double edge;     /* longest edge between corners */
    double middle;   /* greatest distance of a node from the middle of its edge, over the edge */
    bool strays;     /* it is far, and nearer to the middle of another edge */
} lmb_solid_quality;

lmb_solid_quality lmb_solid_quality_of(const lmb_element_tables *tables, const lmb_element_data *e);

#endif
