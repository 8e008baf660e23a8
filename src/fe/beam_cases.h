/* Deflection and slope of beams under one force, the standard cases of handbooks. */
#ifndef LMB_FE_BEAM_CASES_H
#define LMB_FE_BEAM_CASES_H

#include "base/message.h"

typedef enum lmb_beam_case {
    LMB_BEAM_SIMPLE,     /* supports at both ends */
    LMB_BEAM_FIXED,      /* both ends fixed */
    LMB_BEAM_PROPPED,    /* a support at x = 0, the other end fixed */
    LMB_BEAM_CANTILEVER, /* fixed at x = 0, the other end free */
    LMB_BEAM_OVERHANG,   /* supports at 0 and L, the force at the end of an overhang behind L */
    LMB_BEAM_CASES
} lmb_beam_case;

/* What is known of a case, for lists and help. Letters are those of the usual tables: P force, L
 * length, a from x = 0 to the force (overhang: from L to the force), b = L - a. */
typedef struct lmb_beam_type {
    const char *name, *doc;
    const char *deflection;       /* at the force, downwards, as a formula */
    const char *middle;           /* the same for a = L/2, or NULL */
    const char *slope0, *slope_L; /* at x = 0 and at x = L */
    const char *stiffness;        /* P over the deflection at the force */
    const char *middle_stiffness; /* the same for a = L/2, or NULL */
} lmb_beam_type;

extern const lmb_beam_type lmb_beam_types[LMB_BEAM_CASES];

typedef struct lmb_beam {
    lmb_beam_case kind;
    double length, at; /* L and a */
    double stiffness;  /* E I */
    double force;      /* P, downwards */
} lmb_beam;

/* What holds a beam up: forces upwards at x = 0 and x = L, and the moments at fixed ends, which
 * bend it towards the force (hogging). */
typedef struct lmb_beam_support {
    double force0, force_L, moment0, moment_L;
} lmb_beam_support;

/* Whether lengths and stiffness are possible; LMB_USAGE with a message if not. */
lmb_status lmb_beam_check(lmb_context *context, const lmb_beam *beam);

lmb_beam_support lmb_beam_find_support(const lmb_beam *beam);

/* Deflection, positive downwards, and slope dw/dx at a place; either may be NULL. */
void lmb_beam_at(const lmb_beam *beam, double x, double *deflection, double *slope);

/* Where the force acts, and where the beam ends. */
double lmb_beam_force_place(const lmb_beam *beam);
double lmb_beam_end(const lmb_beam *beam);

/* The place between two others, without the ends, at which the deflection is extreme: a zero of the
 * slope that changes its sign there. NAN when there is none. */
double lmb_beam_extreme(const lmb_beam *beam, double from, double to);

/* The place of the largest deflection, up or down. */
double lmb_beam_largest(const lmb_beam *beam);

/* The stiffness at the force, N/m: the force over its deflection there. */
double lmb_beam_spring(const lmb_beam *beam);

/* The formulas of deflection and stiffness at the force, those for a = L/2 where it is there. */
const char *lmb_beam_deflection_formula(const lmb_beam *beam);
const char *lmb_beam_stiffness_formula(const lmb_beam *beam);

#endif
