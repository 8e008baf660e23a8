/* Apply the keys `material` and `materials` of the model file to the materials of a mesh. */
#ifndef LMB_FE_MATERIALS_H
#define LMB_FE_MATERIALS_H

#include "fe/mesh.h"

/* New properties of a material of a mesh, in SI. NAN keeps the value of the file. */
typedef struct lmb_material_change {
    const char *name; /* name of the material in the file; case-insensitive */
    lmb_place place;  /* for messages */
    double E, nu, density;
} lmb_material_change;

/* Change the materials of a mesh in SI. An unknown name is an error; a material that no element
 * uses gives a warning. */
lmb_status lmb_mesh_change_materials(const lmb_mesh *mesh, lmb_context *context,
                                     const lmb_material_change *changes, int count);

/* Return true if an element lacks a modulus of elasticity, or also a density if `density`. */
bool lmb_lacks_material(const lmb_mesh *mesh, const lmb_element *element, bool density);

/* Add a material to the mesh and assign it to the elements that lack one. The list of
 * materials grows in the arena. */
lmb_status lmb_mesh_add_material(lmb_mesh *mesh, lmb_context *context, lmb_arena *arena,
                                 const lmb_material *material, bool density);

/* Assign `material` to elements that have no material or one without a modulus of elasticity. Fails
 * if there are such elements and the modulus of `material` is 0. */
lmb_status lmb_mesh_give_material(lmb_mesh *mesh, lmb_context *context, lmb_arena *arena,
                                  const lmb_material *material);

#endif
