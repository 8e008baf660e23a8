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

/* Positions of the keys in those tables. */
enum lmb_beam_field {
    LMB_BEAM_FROM,
    LMB_BEAM_TO,
    LMB_BEAM_ALONG,
    LMB_BEAM_ELEMENTS,
    LMB_BEAM_SECTION,
    LMB_BEAM_MATERIAL,
    LMB_BEAM_Y_AXIS,
    LMB_BEAM_COUNT
};
enum lmb_mesh_field {
    LMB_MESH_FILE,
    LMB_MESH_UNITS,
    LMB_MESH_MATERIAL,
    LMB_MESH_SIZE,
    LMB_MESH_ORDER,
    LMB_MESH_COUNT
};
enum lmb_matrices_field {
    LMB_MATRICES_STIFFNESS,
    LMB_MATRICES_MASS,
    LMB_MATRICES_DAMPING,
    LMB_MATRICES_MAPPING,
    LMB_MATRICES_NODES,
    LMB_MATRICES_UNITS,
    LMB_MATRICES_MATERIAL,
    LMB_MATRICES_COUNT
};
enum lmb_modal_field {
    LMB_MODAL_MASS,
    LMB_MODAL_CENTRE,
    LMB_MODAL_INERTIA,
    LMB_MODAL_STIFFNESS,
    LMB_MODAL_MODAL_MASS,
    LMB_MODAL_DAMPING,
    LMB_MODAL_MOMENTUM,
    LMB_MODAL_ANGULAR,
    LMB_MODAL_ANGULAR_BY,
    LMB_MODAL_INERTIA_BY,
    LMB_MODAL_INERTIA_BY_TWO,
    LMB_MODAL_COUNT
};
enum lmb_material_field {
    LMB_MATERIAL_E,
    LMB_MATERIAL_NU,
    LMB_MATERIAL_DENSITY,
    LMB_MATERIAL_COUNT
};
enum lmb_interface_field {
    LMB_INTERFACE_NODE,
    LMB_INTERFACE_AT,
    LMB_INTERFACE_POINT,
    LMB_INTERFACE_NODES,
    LMB_INTERFACE_RADIUS,
    LMB_INTERFACE_TIE,
    LMB_INTERFACE_DISPLACEMENTS,
    LMB_INTERFACE_ROTATIONS,
    LMB_INTERFACE_COUNT
};
enum lmb_part_mass_field {
    LMB_PART_MASS_NODE,
    LMB_PART_MASS_AT,
    LMB_PART_MASS_MASS,
    LMB_PART_MASS_INERTIA,
    LMB_PART_MASS_COUNT
};
enum lmb_reduction_field {
    LMB_REDUCTION_MODES,
    LMB_REDUCTION_BELOW,
    LMB_REDUCTION_KEEP,
    LMB_REDUCTION_FRAME,
    LMB_REDUCTION_STIFFENING,
    LMB_REDUCTION_COUNT
};
enum lmb_damping_field {
    LMB_DAMPING_RATIO,
    LMB_DAMPING_MASS,
    LMB_DAMPING_STIFFNESS,
    LMB_DAMPING_COUNT
};
enum lmb_keep_field { LMB_KEEP_BELOW, LMB_KEEP_COUNT };
enum lmb_frame_field { LMB_FRAME_FIELD_POINT, LMB_FRAME_FIELD_CHORD, LMB_FRAME_FIELD_COUNT };

/* A kind of cross section and how it is made of its values. */
typedef struct lmb_section_type {
    const char *name, *doc;
    const lmb_field *fields; /* ends with {0} */
    lmb_status (*make)(lmb_section *out, lmb_context *context, const lmb_value *values, double nu);
} lmb_section_type;

/* All of them, ended by {0}. */
extern const lmb_section_type lmb_section_types[];

enum { LMB_SECTION_FIELDS = 9 }; /* most fields that a section has */

#endif
