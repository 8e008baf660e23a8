/* The envelope of the stresses of a beam with large deformation: the largest at each node, and at
 * each fibre on the outline of its section, over the rows of results.
 *
 *   sigma = N / A + My z / Iy - Mz y / Iz      tau = T r / J, the greatest of torsion
 *   von Mises' stress: sqrt(sigma^2 + 3 tau^2) */
#ifndef LMB_CHANNELS_LINE_ENVELOPE_H
#define LMB_CHANNELS_LINE_ENVELOPE_H

#include "elements/exact_beam.h"
#include "limber/result.h"
#include "system/model.h"

typedef struct lmb_line_envelope {
    const char *body;
    const lmb_exact_beam *beam;
    int force, moment; /* where they start in a row */
    int instants;
    double *largest, *largest_time; /* node: of all fibres, von Mises' stress and when */
    int fibres;                     /* on the outline of a section */
    double *y, *z;                  /* node x fibre: m */
    double *mises, *time;           /* node x fibre: the largest, and when */
    double *greatest, *least;       /* node x fibre: normal stress */
} lmb_line_envelope;

struct lmb_channels;

/* For a beam that has stresses; lives in the arena. False: there is nothing to take. */
bool lmb_line_envelope_start(lmb_line_envelope *out, lmb_arena *arena, const lmb_body *body,
                             const struct lmb_channels *channels);

void lmb_line_envelope_take(lmb_line_envelope *envelope, double t, const double *row);

#endif
