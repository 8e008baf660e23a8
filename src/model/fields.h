/* The keys of a model file: every section, each key stated once. The reader, the JSON Schema and
 * the reference page are all made from these tables. */
#ifndef LMB_MODEL_FIELDS_H
#define LMB_MODEL_FIELDS_H

#include "read/field.h"

extern const lmb_field lmb_root_fields[];
extern const lmb_field lmb_body_fields[];
extern const lmb_field lmb_point_fields[];
extern const lmb_field lmb_joint_fields[];
extern const lmb_field lmb_driver_fields[];
extern const lmb_field lmb_event_fields[];
extern const lmb_field lmb_analysis_fields[];
extern const lmb_field lmb_table_fields[];
extern const lmb_field lmb_state_fields[];

/* The key that any entry of a section may have besides its own. */
extern const lmb_field lmb_repeat_fields[];

/* Positions of the keys in those tables. */
enum lmb_root_field {
    LMB_ROOT_LIMBER,
    LMB_ROOT_TITLE,
    LMB_ROOT_DIMENSION,
    LMB_ROOT_GRAVITY,
    LMB_ROOT_PARAMETERS,
    LMB_ROOT_TABLES,
    LMB_ROOT_GROUND,
    LMB_ROOT_BODIES,
    LMB_ROOT_JOINTS,
    LMB_ROOT_DRIVERS,
    LMB_ROOT_FORCES,
    LMB_ROOT_SENSORS,
    LMB_ROOT_EVENTS,
    LMB_ROOT_ROTOR,
    LMB_ROOT_ANALYSES,
    LMB_ROOT_COUNT
};
enum lmb_body_field {
    LMB_BODY_TYPE,
    LMB_BODY_SHAPE,
    LMB_BODY_MASS,
    LMB_BODY_DENSITY,
    LMB_BODY_INERTIA,
    LMB_BODY_POSITION,
    LMB_BODY_ANGLE,
    LMB_BODY_ROTATION,
    LMB_BODY_QUATERNION,
    LMB_BODY_AXES,
    LMB_BODY_VELOCITY,
    LMB_BODY_ANGULAR_VELOCITY,
    LMB_BODY_POINTS,
    LMB_BODY_BEAM,
    LMB_BODY_MESH,
    LMB_BODY_MATRICES,
    LMB_BODY_MODAL,
    LMB_BODY_INTERFACES,
    LMB_BODY_MASSES,
    LMB_BODY_REDUCTION,
    LMB_BODY_DAMPING,
    LMB_BODY_COUPLING,
    LMB_BODY_QUADRATIC,
    LMB_BODY_PROBES,
    LMB_BODY_PATCHES,
    LMB_BODY_MODES,
    LMB_BODY_MODES_VELOCITY,
    LMB_BODY_COUNT
};
enum lmb_point_field {
    LMB_POINT_AT,
    LMB_POINT_ANGLE,
    LMB_POINT_ROTATION,
    LMB_POINT_QUATERNION,
    LMB_POINT_AXES,
    LMB_POINT_COUNT
};
enum lmb_joint_field { LMB_JOINT_TYPE, LMB_JOINT_BETWEEN, LMB_JOINT_COUNT };
enum lmb_driver_field {
    LMB_DRIVER_JOINT,
    LMB_DRIVER_COORDINATE,
    LMB_DRIVER_POINT,
    LMB_DRIVER_DIRECTION,
    LMB_DRIVER_ANGLE,
    LMB_DRIVER_OFFSET,
    LMB_DRIVER_LENGTH,
    LMB_DRIVER_SPEED,
    LMB_DRIVER_START,
    LMB_DRIVER_COUNT
};
enum lmb_event_field {
    LMB_EVENT_WHEN,
    LMB_EVENT_DIRECTION,
    LMB_EVENT_RELEASE,
    LMB_EVENT_LATCH,
    LMB_EVENT_STOP,
    LMB_EVENT_COUNT
};
enum lmb_analysis_field {
    LMB_ANALYSIS_TYPE,
    LMB_ANALYSIS_DURATION,
    LMB_ANALYSIS_OUTPUT_STEP,
    LMB_ANALYSIS_START,
    LMB_ANALYSIS_INTEGRATOR,
    LMB_ANALYSIS_TOLERANCE,
    LMB_ANALYSIS_STEP,
    LMB_ANALYSIS_SPECTRAL_RADIUS,
    LMB_ANALYSIS_STABILISATION,
    LMB_ANALYSIS_INDEPENDENT,
    LMB_ANALYSIS_BAUMGARTE,
    LMB_ANALYSIS_ROTATION_UPDATE,
    LMB_ANALYSIS_WITHOUT,
    LMB_ANALYSIS_FROM,
    LMB_ANALYSIS_COUNT
};
enum lmb_table_field {
    LMB_TABLE_FIELD_POINTS,
    LMB_TABLE_FIELD_FILE,
    LMB_TABLE_FIELD_COLUMNS,
    LMB_TABLE_FIELD_TYPE,
    LMB_TABLE_FIELD_OUTSIDE,
    LMB_TABLE_FIELD_COUNT
};
enum lmb_state_field {
    LMB_STATE_POSITION,
    LMB_STATE_ANGLE,
    LMB_STATE_ROTATION,
    LMB_STATE_QUATERNION,
    LMB_STATE_VELOCITY,
    LMB_STATE_ANGULAR_VELOCITY,
    LMB_STATE_COUNT
};

#endif
