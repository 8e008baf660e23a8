/* The keys of the section `rotor`. */
#ifndef LMB_IO_ROTOR_FIELDS_H
#define LMB_IO_ROTOR_FIELDS_H

#include "base/field.h"

extern const lmb_field lmb_rotor_fields[];
extern const lmb_field lmb_rotor_piece_fields[];
extern const lmb_field lmb_rotor_disc_fields[];
extern const lmb_field lmb_rotor_bearing_fields[];
extern const lmb_field lmb_rotor_support_fields[];
extern const lmb_field lmb_rotor_coupling_fields[];
extern const lmb_field lmb_rotor_unbalance_fields[];
extern const lmb_field lmb_rotor_probe_fields[];
extern const lmb_field lmb_rotor_run_up_fields[];

/* Positions of the keys in those tables. */
enum lmb_rotor_field {
    LMB_ROTOR_FIELD_SHAFT,
    LMB_ROTOR_FIELD_DISCS,
    LMB_ROTOR_FIELD_BEARINGS,
    LMB_ROTOR_FIELD_SEALS,
    LMB_ROTOR_FIELD_COUPLINGS,
    LMB_ROTOR_FIELD_UNBALANCES,
    LMB_ROTOR_FIELD_PROBES,
    LMB_ROTOR_FIELD_SPEED,
    LMB_ROTOR_FIELD_SPEEDS,
    LMB_ROTOR_FIELD_MODES,
    LMB_ROTOR_FIELD_THEORY,
    LMB_ROTOR_FIELD_DAMPING_RATIO,
    LMB_ROTOR_FIELD_DAMPING_MASS,
    LMB_ROTOR_FIELD_DAMPING_STIFFNESS,
    LMB_ROTOR_FIELD_INTERNAL_DAMPING,
    LMB_ROTOR_FIELD_TORQUE,
    LMB_ROTOR_FIELD_AXIAL_FORCE,
    LMB_ROTOR_FIELD_RUN_UP,
    LMB_ROTOR_FIELD_COUNT
};
enum lmb_rotor_piece_field {
    LMB_ROTOR_PIECE_LENGTH,
    LMB_ROTOR_PIECE_DIAMETER,
    LMB_ROTOR_PIECE_BORE,
    LMB_ROTOR_PIECE_MATERIAL,
    LMB_ROTOR_PIECE_ELEMENTS,
    LMB_ROTOR_PIECE_START,
    LMB_ROTOR_PIECE_COUNT
};
enum lmb_rotor_disc_field {
    LMB_ROTOR_DISC_AT,
    LMB_ROTOR_DISC_MASS,
    LMB_ROTOR_DISC_POLAR,
    LMB_ROTOR_DISC_DIAMETRAL,
    LMB_ROTOR_DISC_DIAMETER,
    LMB_ROTOR_DISC_BORE,
    LMB_ROTOR_DISC_THICKNESS,
    LMB_ROTOR_DISC_MATERIAL,
    LMB_ROTOR_DISC_UNBALANCE,
    LMB_ROTOR_DISC_ECCENTRICITY,
    LMB_ROTOR_DISC_PHASE,
    LMB_ROTOR_DISC_DAMPING,
    LMB_ROTOR_DISC_COUNT
};
enum lmb_rotor_bearing_field {
    LMB_ROTOR_BEARING_AT,
    LMB_ROTOR_BEARING_TYPE,
    LMB_ROTOR_BEARING_STIFFNESS,
    LMB_ROTOR_BEARING_DAMPING,
    LMB_ROTOR_BEARING_MASS,
    LMB_ROTOR_BEARING_TURNING_STIFFNESS,
    LMB_ROTOR_BEARING_TURNING_DAMPING,
    LMB_ROTOR_BEARING_SUPPORT,
    LMB_ROTOR_BEARING_COUNT
};
enum lmb_rotor_support_field {
    LMB_ROTOR_SUPPORT_MASS,
    LMB_ROTOR_SUPPORT_STIFFNESS,
    LMB_ROTOR_SUPPORT_DAMPING,
    LMB_ROTOR_SUPPORT_COUNT
};
enum lmb_rotor_coupling_field {
    LMB_ROTOR_COUPLING_BETWEEN,
    LMB_ROTOR_COUPLING_STIFFNESS,
    LMB_ROTOR_COUPLING_DAMPING,
    LMB_ROTOR_COUPLING_TURNING_STIFFNESS,
    LMB_ROTOR_COUPLING_TURNING_DAMPING,
    LMB_ROTOR_COUPLING_MASS,
    LMB_ROTOR_COUPLING_POLAR,
    LMB_ROTOR_COUPLING_DIAMETRAL,
    LMB_ROTOR_COUPLING_COUNT
};
enum lmb_rotor_unbalance_field {
    LMB_ROTOR_UNBALANCE_AT,
    LMB_ROTOR_UNBALANCE_AMOUNT,
    LMB_ROTOR_UNBALANCE_PHASE,
    LMB_ROTOR_UNBALANCE_COUNT
};
enum lmb_rotor_probe_field { LMB_ROTOR_PROBE_AT, LMB_ROTOR_PROBE_COUNT };
enum lmb_rotor_run_up_field {
    LMB_ROTOR_RUN_UP_DURATION,
    LMB_ROTOR_RUN_UP_FROM,
    LMB_ROTOR_RUN_UP_TO,
    LMB_ROTOR_RUN_UP_STEP,
    LMB_ROTOR_RUN_UP_COUNT
};

#endif
