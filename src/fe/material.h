/* Materials known by name, and whether a material can be. */
#ifndef LMB_FE_MATERIAL_H
#define LMB_FE_MATERIAL_H

#include "fe/mesh.h"

/* The material of a name of the library, or NULL. */
const lmb_material *lmb_material_find(const char *name);

/* The names of the library with commas, for messages. */
const char *lmb_material_names(void);

/* The library itself: entry i, NULL after the last. */
const lmb_material *lmb_material_at(int i);

/* Fails on impossible numbers; warns of those that look as if they were in other units. */
lmb_status lmb_material_check(const lmb_material *material, lmb_context *context);

#endif
