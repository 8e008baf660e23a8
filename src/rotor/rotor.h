/* Rotors: a shaft along x with discs, on bearings, that turns about x with a speed W.
 *
 * Small lateral motion of finite elements with two deflections and two slopes a node:
 *
 *   M q'' + (C(W) + W G) q' + (K(W) + W H) q = f
 *
 * M mass with rotary inertia, G gyroscopic moments, C damping of bearings and surroundings, K
 * stiffness, H the circulatory forces of damping that turns with the shaft. A scalar unknown a (a
 * deflection, a slope, a motion of a support) has a part along y and one along z. Where all is
 * alike in both planes, y + i z is one complex unknown, and the matrices are half as large; forward
 * whirl is then exp(+i w t) and backward whirl exp(-i w t). See docs/rotors.md. */
#ifndef LMB_ROTOR_ROTOR_H
#define LMB_ROTOR_ROTOR_H

#include "limber/rotor.h"
#include "base/message.h"
#include "fe/mesh.h"
#include "math/band.h"
#include "math/expr.h"

/* --- what the model says ---------------------------------------------------------------------- */

/* A piece of shaft: a cylinder, or a cone where the diameters at its end differ. */
typedef struct lmb_rotor_piece {
    double start, length, diameter, bore;
    double end_diameter, end_bore;
    lmb_material material;
    int elements;
} lmb_rotor_piece;

typedef struct lmb_rotor_disc {
    const char *name;
    double at, mass, polar, diametral;
    double unbalance, phase;    /* kg m, rad */
    double damping;             /* of the surroundings, N s/m */
    double diameter, thickness; /* for drawing; 0: not given */
    lmb_place place;
} lmb_rotor_disc;

/* Two by two numbers of y and z (yy, yz, zy, zz), each constant or an expression of the speed. */
typedef struct lmb_rotor_law {
    int size; /* 0: none, 1: the same in both planes, 2: yy and zz, 4: all */
    const lmb_expr *of[4];
} lmb_rotor_law;

typedef enum lmb_rotor_hold {
    LMB_ROTOR_SPRING,
    LMB_ROTOR_PINNED,
    LMB_ROTOR_CLAMPED
} lmb_rotor_hold;

/* A bearing, or a seal. */
typedef struct lmb_rotor_bearing {
    const char *name;
    double at;
    bool seal;
    lmb_rotor_hold hold;
    lmb_rotor_law stiffness, damping, mass;
    double turning_stiffness, turning_damping; /* against slopes */
    bool supported;                            /* on a support that moves: */
    double support_mass;
    lmb_rotor_law support_stiffness, support_damping;
    lmb_place place;
} lmb_rotor_bearing;

/* Two ends of shafts joined by springs in the middle between them. */
typedef struct lmb_rotor_coupling {
    const char *name;
    double at[2];
    double stiffness, damping, turning_stiffness, turning_damping;
    double mass, polar, diametral; /* half of each at either end */
    lmb_place place;
} lmb_rotor_coupling;

/* An unbalance of its own, or a place whose motion is reported. */
typedef struct lmb_rotor_spot {
    const char *name;
    double at, amount, phase;
    lmb_place place;
} lmb_rotor_spot;

typedef enum lmb_rotor_theory {
    LMB_ROTOR_TIMOSHENKO, /* shear deformation and rotary inertia */
    LMB_ROTOR_RAYLEIGH,   /* rotary inertia */
    LMB_ROTOR_EULER       /* neither, nor gyroscopic moments of the shaft itself */
} lmb_rotor_theory;

typedef struct lmb_rotor {
    const char *title;
    double gravity[2]; /* along y and z */
    double speed;      /* service speed, rad/s; 0: none */
    double from, to;   /* speeds of diagrams */
    int steps;         /* how many */
    int modes;         /* how many are shown */
    lmb_rotor_theory theory;
    double damping_mass, damping_stiffness, damping_ratio, internal_damping;
    double torque, axial_force;
    lmb_rotor_piece *pieces;
    lmb_rotor_disc *discs;
    lmb_rotor_bearing *bearings;
    lmb_rotor_coupling *couplings;
    lmb_rotor_spot *unbalances, *probes;
    int piece_count, disc_count, bearing_count, coupling_count, unbalance_count, probe_count;
    bool runs_up;
    double run_from, run_to, run_duration, run_step; /* step 0: chosen */
} lmb_rotor;

/* --- the system ------------------------------------------------------------------------------- */

/* A beam element between two nodes; phi is its shear parameter (fe/beam.h). */
typedef struct lmb_rotor_element {
    int first, second; /* nodes */
    double length, phi;
    lmb_section section;
    const lmb_rotor_piece *piece;
    double from, to; /* the part of the piece that it is, 0 to 1 */
} lmb_rotor_element;

/* A place with a name: a disc, bearing, seal or probe. */
typedef struct lmb_rotor_station {
    const char *name;
    int node;
} lmb_rotor_station;

enum { LMB_ROTOR_VECTORS = 6 };

typedef struct lmb_rotor_system {
    lmb_arena *arena;
    lmb_context *context; /* for messages */
    const lmb_rotor *rotor;
    int node_count, element_count, station_count, seal_count;
    double *x;    /* of the nodes, ascending in each shaft */
    int *unknown; /* of each node: its deflection; its slope is the next one */
    int *disc_node, *bearing_node, *bearing_support; /* support: unknown, or -1 */
    int (*coupling_nodes)[2];
    int *unbalance_node;
    lmb_rotor_element *elements;
    lmb_rotor_station *stations;
    int scalars;         /* unknowns of one plane */
    bool isotropic;      /* alike in both planes: complex unknowns */
    int planes;          /* unknowns of a scalar, 1 or 2: those of scalar a begin with planes * a */
    int n;               /* planes * scalars */
    bool *held;          /* n */
    double length;       /* of the whole */
    double kg, shaft_kg; /* mass of shaft, discs and couplings, and of the shaft alone */
    double scale;        /* a typical circular frequency */

    /* constant parts, without the held unknowns taken out */
    lmb_band mass, gyroscopic, damping, stiffness, circulatory;
    lmb_band shaft_mass; /* of the shaft alone */
    /* at the present speed; `raw` with forces on the held unknowns */
    double speed;
    lmb_band M, C, K, raw_C, raw_K, raw_M;
    lmb_band symmetric; /* K without its unsymmetric part, for undamped motion */
    lmb_band work;
    lmb_band_factor factor;
    /* room for vectors of n numbers, and for forces of bearings */
    lmb_complex *vector[LMB_ROTOR_VECTORS];
    lmb_complex (*force)[2];
} lmb_rotor_system;

/* Divides the shaft into elements and assembles; rotor and context must outlive the system. */
lmb_status lmb_rotor_system_new(lmb_rotor_system **out, lmb_context *context,
                                const lmb_rotor *rotor);
void lmb_rotor_system_free(lmb_rotor_system *system);

/* Sets M, C, K for a speed. */
void lmb_rotor_set_speed(lmb_rotor_system *system, double speed);

/* The unknowns of scalar a along y and z, of a vector of n, turning with exp(i w t) where w is
 * positive, or `negative`. */
void lmb_rotor_planes(const lmb_rotor_system *system, const lmb_complex *q, bool negative,
                      lmb_complex *y, lmb_complex *z);

/* The scalars as y + i z of a vector that does not turn, but is where the rotor is. */
void lmb_rotor_still(const lmb_rotor_system *system, const lmb_complex *q, lmb_complex *u);

/* Takes rows and columns of held unknowns out; `one` on the diagonal or 0. */
void lmb_rotor_hold_band(const lmb_rotor_system *system, lmb_band *band, double one);

/* Outer and inner diameter of a piece at a part of its length, 0 to 1. */
double lmb_rotor_diameter(const lmb_rotor_piece *piece, double at, double *bore);

/* The node at a place, or -1. */
int lmb_rotor_node_at(const lmb_rotor_system *system, double x);

/* --- whirl ------------------------------------------------------------------------------------ */

/* A vibration exp(s t), s = real + i frequency; y and z are complex amplitudes of the scalars. */
typedef struct lmb_whirl {
    double real, frequency; /* 1/s, rad/s */
    double natural;         /* |s|, rad/s */
    double ratio;           /* of damping */
    double decrement;       /* logarithmic */
    double sense;           /* 1: forward, -1: backward; between: the part that is more */
    bool mixed;             /* forward at some places and backward at others */
    lmb_complex *y, *z;     /* scalars each, z behind y; the largest deflection is 1 */
} lmb_whirl;

typedef struct lmb_whirl_list {
    double speed;
    int count;
    lmb_whirl *modes;
    double growth; /* the largest real part above rounding, motions without vibration too */
    double growth_frequency; /* of what has it, rad/s */
} lmb_whirl_list;

/* The lowest vibrations at a speed, by frequency. */
lmb_status lmb_find_whirls(lmb_rotor_system *system, lmb_arena *arena, double speed, int count,
                           lmb_whirl_list *out);

/* "forward", "backward", "mixed", "plane". */
const char *lmb_whirl_word(double sense, bool mixed);

/* The same over all speeds of the rotor. Mode k of each is that which mode k of the one before has
 * become; a mode that is lost has the frequency NAN. */
typedef struct lmb_campbell {
    int speeds, modes;
    lmb_whirl_list *at; /* speeds */
} lmb_campbell;

lmb_status lmb_find_campbell(lmb_rotor_system *system, lmb_arena *arena, lmb_campbell *out);

/* Speed number i of diagrams. */
double lmb_rotor_speed(const lmb_rotor *rotor, int i);

/* --- critical speeds -------------------------------------------------------------------------- */

typedef struct lmb_critical_list {
    int count;
    lmb_critical *of;
} lmb_critical_list;

/* The lowest critical speeds, for a ratio of whirl to rotation (1: synchronous). */
lmb_status lmb_find_criticals(lmb_rotor_system *system, lmb_arena *arena, int count, double ratio,
                              lmb_critical_list *out);

/* --- response --------------------------------------------------------------------------------- */

/* Amplitudes (y, z: scalars each) of the steady motion exp(i W t) under unbalance. */
lmb_status lmb_rotor_unbalance(lmb_rotor_system *system, double speed, lmb_complex *y,
                               lmb_complex *z);

/* The orbit of a node. */
lmb_orbit lmb_orbit_of(lmb_complex y, lmb_complex z);

/* Deflection under gravity at a speed (scalars, y + i z), and the forces on each bearing. */
lmb_status lmb_rotor_sag(lmb_rotor_system *system, double speed, lmb_complex *u,
                         double (*forces)[2]);

/* The forces of the shaft on its bearings in a motion exp(s t) under a load, amplitudes of y and z;
 * with complex unknowns the first number alone. It works in the last two vectors of the system. */
void lmb_rotor_bearing_forces(lmb_rotor_system *system, const lmb_complex *q, lmb_complex s,
                              const lmb_complex *load, lmb_complex (*forces)[2]);

/* --- estimates -------------------------------------------------------------------------------- */

lmb_status lmb_rotor_estimate(lmb_rotor_system *system, lmb_arena *arena, lmb_rotor_estimates *out);

/* --- shapes ----------------------------------------------------------------------------------- */

/* Deflection within an element, 0 <= s <= 1, by its own shape functions; u are the scalars. The
 * tilt of the section there, unless NULL, is that of the slopes at the nodes, without shear. */
lmb_complex lmb_rotor_deflection(const lmb_rotor_system *system, int element, double s,
                                 const lmb_complex *u, lmb_complex *tilt);

/* --- what the above share --------------------------------------------------------------------- */

/* A law at a speed, as yy, yz, zy, zz. */
void lmb_rotor_evaluate(const lmb_rotor_law *law, double speed, double k[4]);

/* Fails where coefficients of bearings are not numbers, or do not hold a shaft at rest; needs the
 * nodes alone. */
lmb_status lmb_rotor_check(const lmb_rotor_system *system);

/* The eigenvalues nearest to a shift at the present speed, with their vectors (n each). Returns how
 * many; -1: out of memory, -2: not found, -3: singular. */
int lmb_rotor_nearest(lmb_rotor_system *system, lmb_arena *arena, lmb_complex shift, int count,
                      lmb_complex *values, lmb_complex *vectors);

/* The largest eigenvalues of A^-1 B with the factors that the system has of A; returns as the one
 * above. */
int lmb_rotor_largest(const lmb_rotor_system *system, lmb_arena *arena, const lmb_band *B,
                      int count, lmb_complex *values, lmb_complex *vectors);

/* The message for a number below 0 of those. */
lmb_status lmb_fail_whirl(const lmb_rotor_system *system, int found, double speed);

/* The modal assurance criterion of two shapes of n numbers: how alike they are, 0 to 1. */
double lmb_rotor_mac(int n, const lmb_complex *a, const lmb_complex *b);

/* Factorises K + s C + s^2 M at the present speed; false: it is singular. */
bool lmb_rotor_factorise(lmb_rotor_system *system, lmb_complex s);

/* Makes a mode of an eigenvalue and its vector, with shapes in the arena if that has memory. */
void lmb_set_whirl(const lmb_rotor_system *system, lmb_arena *arena, lmb_complex value,
                   const lmb_complex *vector, lmb_whirl *out);

/* The forces of unbalance, multiplied by a factor and turned by an angle. */
void lmb_rotor_turning_load(const lmb_rotor_system *system, double factor, double turn,
                            lmb_complex *load);

/* The steady motion under unbalance as a vector of n. */
lmb_status lmb_rotor_unbalance_vector(lmb_rotor_system *system, double speed, lmb_complex *q);

#endif
