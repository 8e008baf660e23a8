/* The keys of the section `rotor`, and what they are read into. Numbers that are not given are NAN
 * where that makes a difference. */
#ifndef LMB_MODEL_ROTOR_FIELDS_H
#define LMB_MODEL_ROTOR_FIELDS_H

#include "read/field.h"
#include "rotor/rotor.h"

typedef struct lmb_rotor_keys {
    lmb_rotor rotor; /* speed, theory, damping, torque and axial force */
    double modes;
    lmb_value speeds;
    const struct lmb_tree *shaft, *discs, *bearings, *seals, *couplings, *unbalances, *probes,
        *run_up;
} lmb_rotor_keys;

typedef struct lmb_piece_keys {
    lmb_rotor_piece piece;
    double elements;
    const struct lmb_tree *material;
} lmb_piece_keys;

typedef struct lmb_disc_keys {
    lmb_rotor_disc disc;
    double bore, eccentricity;
    const struct lmb_tree *material;
} lmb_disc_keys;

/* Also of a support. */
typedef struct lmb_bearing_keys {
    lmb_rotor_bearing bearing;
    const struct lmb_tree *stiffness, *damping, *mass, *support;
} lmb_bearing_keys;

typedef struct lmb_coupling_keys {
    lmb_rotor_coupling coupling;
    lmb_value between;
} lmb_coupling_keys;

/* Unbalances and probes are read into an lmb_rotor_spot, a run-up into the lmb_rotor. */
extern const lmb_field lmb_rotor_fields[], lmb_rotor_piece_fields[], lmb_rotor_disc_fields[],
    lmb_rotor_bearing_fields[], lmb_rotor_support_fields[], lmb_rotor_coupling_fields[],
    lmb_rotor_unbalance_fields[], lmb_rotor_probe_fields[], lmb_rotor_run_up_fields[];

#endif
