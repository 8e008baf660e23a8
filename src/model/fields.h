/* The keys of a model file: every section, each key stated once, beside the code that reads it. The
 * reader, the JSON Schema and the reference page are all made from these tables. */
#ifndef LMB_MODEL_FIELDS_H
#define LMB_MODEL_FIELDS_H

#include "fe/mesh.h"
#include "read/field.h"
#include "system/model.h"

extern const lmb_field lmb_root_fields[], lmb_point_fields[], lmb_joint_fields[],
    lmb_driver_fields[], lmb_event_fields[], lmb_objective_fields[], lmb_analysis_fields[],
    lmb_table_fields[], lmb_patch_fields[], lmb_probe_fields[], lmb_variable_fields[],
    lmb_limit_fields[];

/* The key that any entry of a section may have besides its own. */
extern const lmb_field lmb_repeat_fields[];

struct lmb_builder;

/* A kind of instrument. */
typedef struct lmb_instrument_type {
    const char *name, *doc;
    const lmb_field *fields; /* ends with {0} */
    lmb_sensor_kind kind;
    lmb_status (*read)(struct lmb_builder *builder, const void *keys, lmb_sensor *out);
} lmb_instrument_type;

/* All of them, ended by {0}. */
extern const lmb_instrument_type lmb_instrument_types[];

/* A kind of study. */
typedef struct lmb_study_type {
    const char *name, *doc;
    const lmb_field *fields; /* ends with {0} */
} lmb_study_type;

/* All of them by their lmb_study_kind, ended by {0}. */
extern const lmb_study_type lmb_study_types[];

/* --- flexible bodies -------------------------------------------------------------------------- */

extern const lmb_field lmb_beam_fields[], lmb_framework_fields[], lmb_framework_node_fields[],
    lmb_member_fields[], lmb_mesh_fields[], lmb_matrices_fields[], lmb_arrays_fields[],
    lmb_modal_fields[], lmb_material_fields[], lmb_material_change_fields[], lmb_interface_fields[],
    lmb_part_mass_fields[], lmb_reduction_fields[], lmb_keep_fields[], lmb_damping_fields[],
    lmb_frame_fields[], lmb_arc_fields[], lmb_helix_fields[], lmb_station_fields[];

/* What a cross section is read into; each kind has some of it. */
typedef struct lmb_section_keys {
    double width, height, diameter, wall, web, flange;
    lmb_section constants;
} lmb_section_keys;

/* A kind of cross section. */
typedef struct lmb_section_type {
    const char *name, *doc;
    const lmb_field *fields; /* ends with {0} */
} lmb_section_type;

/* All of them, ended by {0}; and a section of the one of a number. */
extern const lmb_section_type lmb_section_types[];
lmb_status lmb_section_make(int type, const lmb_section_keys *keys, double nu, lmb_context *context,
                            lmb_section *out);

#endif
