/* What beams with large deformation go through: the envelope of their stresses, and warnings of
 * strains that are not small.
 *
 * The strain of a fibre is at most |gamma_x| + |kappa_y| z_max + |kappa_z| y_max, and that of shear
 * |gamma_y| or |gamma_z|. */
#include "channels/line_record.h"

#include <math.h>
#include <string.h>

#include "base/message.h"
#include "base/text.h"
#include "channels/channels.h"
#include "elements/exact_beam.h"
#include "fe/element.h"

typedef struct lmb_line_limits {
    int body;
    int strain, curvature; /* where they start in a row */
    bool strained;         /* it was warned */
} lmb_line_limits;

lmb_line_record *lmb_line_record_new(lmb_arena *arena, const lmb_model *m, bool envelopes,
                                     const lmb_channels *channels)
{
    size_t bodies = (size_t)m->body_count;
    lmb_line_record *r = lmb_arena_alloc(arena, 1, sizeof *r);
    lmb_line_limits *limits = lmb_arena_alloc(arena, bodies, sizeof *limits);
    lmb_line_envelope *list = lmb_arena_alloc(arena, bodies, sizeof *list);
    if (!r || !limits || !list)
        return NULL;
    *r = (lmb_line_record){.model = m, .limits = limits, .envelopes = list, .span = lmb_span_all};
    for (int i = 1; i < m->body_count; i++) {
        const char *name = m->bodies[i].name;
        if (!lmb_body_line(&m->bodies[i]))
            continue;
        if (envelopes &&
            lmb_line_envelope_start(&list[r->envelope_count], arena, &m->bodies[i], channels))
            r->envelope_count++;
        limits[r->count++] =
            (lmb_line_limits){.body = i,
                              .strain = lmb_channels_place(channels, name, "strain"),
                              .curvature = lmb_channels_place(channels, name, "curvature")};
    }
    return lmb_arena_fine(arena) ? r : NULL;
}

/* The largest strain at a node. */
static double strain_at(const lmb_exact_beam *b, int node, const double *gamma, const double *kappa)
{
    bool space = b->dimension == 3;
    double y = b->sections ? b->sections[node].y_max : 0;
    double z = b->sections && space ? b->sections[node].z_max : 0;
    double bent = space ? fabs(kappa[1]) * z + fabs(kappa[2]) * y : fabs(kappa[0]) * y;
    double sheared = fmax(fabs(gamma[1]), space ? fabs(gamma[2]) : 0);
    return fmax(fabs(gamma[0]) + bent, sheared);
}

static void check_strain(const lmb_body *body, lmb_line_limits *l, lmb_context *context, double t,
                         const double *row)
{
    const lmb_exact_beam *b = lmb_body_line(body);
    int width = b->dimension, turns = b->dimension == 3 ? 3 : 1, worst = 0;
    double largest = 0;
    for (int i = 0; i < b->node_count; i++) {
        double strain =
            strain_at(b, i, row + l->strain + width * i, row + l->curvature + turns * i);
        if (strain > largest) {
            largest = strain;
            worst = i;
        }
    }
    if (!(largest > LMB_LARGE_STRAIN))
        return;
    l->strained = true;
    lmb_warn_at(context, body->place, "body '%s' has a strain of %.2g at its node %d at t = %.6g",
                body->name, largest, worst + 1, t);
    lmb_hint(context,
             "rotations and displacements of such a beam may be large, but its material is taken "
             "as linear, which holds for strains up to about %g",
             LMB_LARGE_STRAIN);
}

void lmb_line_record_take(lmb_line_record *r, lmb_context *context, double t, const double *row)
{
    for (int i = 0; i < r->count; i++) {
        lmb_line_limits *l = &r->limits[i];
        const lmb_body *body = &r->model->bodies[l->body];
        if (!l->strained && l->strain >= 0 && l->curvature >= 0)
            check_strain(body, l, context, t, row);
    }
    for (int i = 0; i < r->envelope_count && lmb_span_holds(r->span, t, 0); i++)
        lmb_line_envelope_take(&r->envelopes[i], t, row);
}
