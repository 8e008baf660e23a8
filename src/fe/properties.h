/* Materials known by name, cross sections of beams of standard shapes, and whether they can be. */
#ifndef LMB_FE_PROPERTIES_H
#define LMB_FE_PROPERTIES_H

#include "fe/mesh.h"

/* The material of a name of the library, or NULL. */
const lmb_material *lmb_material_find(const char *name);

/* The names of the library with commas, for messages. */
const char *lmb_material_names(void);

/* The library itself: entry i, NULL after the last. */
const lmb_material *lmb_material_at(int i);

/* Fails on impossible numbers; warns of those that look as if they were in other units. */
lmb_status lmb_material_check(const lmb_material *material, lmb_context *context);

/* Cross sections. Shear factors are Cowper's (Journal of Applied Mechanics 33, 1966), which depend
 * on Poisson's ratio nu. All fail with a message if a size is impossible. */

/* Full, with sides along y and z. */
lmb_status lmb_section_rectangle(lmb_section *out, lmb_context *context, double y, double z,
                                 double nu);
/* Full, of a diameter. */
lmb_status lmb_section_circle(lmb_section *out, lmb_context *context, double diameter, double nu);
/* Round, with an outer diameter and a wall. */
lmb_status lmb_section_tube(lmb_section *out, lmb_context *context, double diameter, double wall,
                            double nu);
/* Rectangular tube with outer sides along y and z and one wall thickness. */
lmb_status lmb_section_box(lmb_section *out, lmb_context *context, double y, double z, double wall,
                           double nu);
/* I with its web along y: height along y over all, width of the flanges along z. */
lmb_status lmb_section_I(lmb_section *out, lmb_context *context, double height, double width,
                         double web, double flange, double nu);

/* Given constants: fails if one cannot be. Planar beams need the area and Iz only. */
lmb_status lmb_section_check(const lmb_section *section, lmb_context *context, bool planar);

#endif
