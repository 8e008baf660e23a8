/* The keys of a flexible body: beam, mesh, matrices or modal, interface points, reduction. */
#ifndef LMB_MODEL_FLEXIBLE_FIELDS_H
#define LMB_MODEL_FLEXIBLE_FIELDS_H

#include "read/field.h"
#include "fe/mesh.h"

extern const lmb_field lmb_beam_fields[];
extern const lmb_field lmb_mesh_fields[];
extern const lmb_field lmb_matrices_fields[];
extern const lmb_field lmb_modal_fields[];
extern const lmb_field lmb_material_fields[];
extern const lmb_field lmb_interface_fields[];
extern const lmb_field lmb_part_mass_fields[];
extern const lmb_field lmb_reduction_fields[];
extern const lmb_field lmb_keep_fields[];
extern const lmb_field lmb_damping_fields[];
extern const lmb_field lmb_frame_fields[];

/* What a cross section is read into; each kind has some of it. */
typedef struct lmb_section_keys {
    double width, height, diameter, wall, web, flange;
    lmb_section constants;
} lmb_section_keys;

/* A kind of cross section and how it is made of its values. */
typedef struct lmb_section_type {
    const char *name, *doc;
    const lmb_field *fields; /* ends with {0} */
    lmb_status (*make)(lmb_section *out, lmb_context *context, const lmb_section_keys *keys,
                       double nu);
} lmb_section_type;

/* All of them, ended by {0}. */
extern const lmb_section_type lmb_section_types[];

#endif
