/* What beams with large deformation are warned of, from the rows of results: strains that are not
 * small.
 *
 * The strain of a fibre is at most |gamma_x| + |kappa_y| z_max + |kappa_z| y_max, and that of shear
 * |gamma_y| or |gamma_z|. */
#include "channels/line_record.h"

#include <math.h>
#include <string.h>

#include "base/message.h"
#include "base/text.h"
#include "elements/exact_beam.h"
#include "fe/element.h"

typedef struct line_places {
    int body;
    int strain, curvature; /* where they start in a row */
    bool strained;         /* it was warned */
} line_places;

struct lmb_line_record {
    const lmb_model *model;
    int count;
    line_places *lines;
};

/* Where the numbers of a channel of a body start in a row; -1: there is none. */
static int place_of(int count, const lmb_channel *channels, const char *body, const char *name)
{
    size_t length = strlen(body);
    for (int i = 0, at = 0; i < count; at += channels[i++].size)
        if (strncmp(channels[i].name, body, length) == 0 && channels[i].name[length] == '.' &&
            strcmp(channels[i].name + length + 1, name) == 0)
            return at;
    return -1;
}

lmb_line_record *lmb_line_record_new(lmb_arena *arena, const lmb_model *m, int count,
                                     const lmb_channel *channels)
{
    lmb_line_record *r = lmb_arena_alloc(arena, 1, sizeof *r);
    line_places *lines = lmb_arena_alloc(arena, (size_t)m->body_count, sizeof *lines);
    if (!r || !lines)
        return NULL;
    *r = (lmb_line_record){m, 0, lines};
    for (int i = 1; i < m->body_count; i++) {
        const char *name = m->bodies[i].name;
        if (lmb_body_line(&m->bodies[i]))
            lines[r->count++] =
                (line_places){.body = i,
                              .strain = place_of(count, channels, name, "strain"),
                              .curvature = place_of(count, channels, name, "curvature")};
    }
    return r;
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

static void check_strain(const lmb_body *body, line_places *l, lmb_context *context, double t,
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
        line_places *l = &r->lines[i];
        const lmb_body *body = &r->model->bodies[l->body];
        if (!l->strained && l->strain >= 0 && l->curvature >= 0)
            check_strain(body, l, context, t, row);
    }
}
