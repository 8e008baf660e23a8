/* Assembly: stiffness and mass of a mesh. */
#ifndef LMB_FE_ASSEMBLY_H
#define LMB_FE_ASSEMBLY_H

#include "base/message.h"
#include "fe/element.h"

/* Makes the model of a mesh, which must outlive it. A node has the degrees of freedom that its
 * elements give it: solids translations, beams rotations, too; a point mass adds none. A node
 * without elements has none. They are numbered node by node. K and M share their pattern. To be
 * freed with lmb_arena_free(model->arena). */
lmb_status lmb_fe_assemble(lmb_fe_model **out, lmb_context *context, const lmb_mesh *mesh);

/* The same with a number of threads, 0: as many as seem good. The result does not depend on it. */
lmb_status lmb_fe_assemble_with(lmb_fe_model **out, lmb_context *context, const lmb_mesh *mesh,
                                int threads);

#endif
