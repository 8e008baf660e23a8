/* Materials of a mesh that the model file replaces, completes or adds. */
#ifndef LMB_FE_MATERIALS_H
#define LMB_FE_MATERIALS_H

#include "fe/mesh.h"

/* New numbers for a material of a mesh, in SI; NAN leaves a number as it is in the file. */
typedef struct lmb_material_change {
    const char *name; /* of the material in the file; upper and lower case are the same */
    lmb_place place;  /* for messages */
    double E, nu, density;
} lmb_material_change;

/* Changes materials of a mesh in SI. An unknown name is refused; a change of a material that no
 * element has is a warning. */
lmb_status lmb_mesh_change_materials(const lmb_mesh *mesh, lmb_context *context,
                                     const lmb_material_change *changes, int count);

/* Gives `material` to the elements that have none, or one without a modulus of elasticity. Fails if
 * there are such elements and the modulus of `material` is 0. The list of materials grows in the
 * arena. */
lmb_status lmb_mesh_give_material(lmb_mesh *mesh, lmb_context *context, lmb_arena *arena,
                                  const lmb_material *material);

#endif
