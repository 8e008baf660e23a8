/* The envelope of the stresses of a beam with large deformation. */
#include "channels/line_envelope.h"

#include <math.h>
#include <string.h>

#include "channels/channels.h"
#include "fe/section_outline.h"
#include "fe/stress.h"

/* Where the fibres of all sections are. */
static bool place_fibres(lmb_line_envelope *e, lmb_arena *arena)
{
    const lmb_exact_beam *b = e->beam;
    lmb_outline outline = lmb_outline_of(&b->sections[0], b->dimension == 2);
    lmb_outline_point points[LMB_OUTLINE_MOST];
    e->fibres = lmb_outline_fibres(&outline, points);
    size_t n = (size_t)b->node_count, all = n * (size_t)e->fibres;
    double **const of_fibres[] = {&e->y, &e->z, &e->mises, &e->time, &e->greatest, &e->least};
    for (size_t i = 0; i < sizeof of_fibres / sizeof *of_fibres; i++)
        *of_fibres[i] = lmb_arena_numbers(arena, all);
    e->largest = lmb_arena_numbers(arena, n);
    e->largest_time = lmb_arena_numbers(arena, n);
    for (int i = 0; lmb_arena_fine(arena) && i < b->node_count; i++)
        for (int k = 0; k < e->fibres; k++) {
            e->y[i * e->fibres + k] = points[k].y * b->sections[i].y_max;
            e->z[i * e->fibres + k] = b->dimension == 2 ? 0 : points[k].z * b->sections[i].z_max;
        }
    return lmb_arena_fine(arena);
}

bool lmb_line_envelope_start(lmb_line_envelope *out, lmb_arena *arena, const lmb_body *body,
                             const lmb_channels *channels)
{
    *out =
        (lmb_line_envelope){.body = body->name,
                            .beam = lmb_body_line(body),
                            .force = lmb_channels_place(channels, body->name, "section.force"),
                            .moment = lmb_channels_place(channels, body->name, "section.moment")};
    return lmb_beam_has_stress(out->beam) && out->force >= 0 && out->moment >= 0 &&
           place_fibres(out, arena);
}

static lmb_section_forces forces_at(const lmb_line_envelope *e, int node, const double *row)
{
    const double *f = row + e->force, *m = row + e->moment;
    if (e->beam->dimension == 2)
        return (lmb_section_forces){f[2 * node], f[2 * node + 1], 0, 0, 0, m[node]};
    f += 3 * node;
    m += 3 * node;
    return (lmb_section_forces){f[0], f[1], f[2], m[0], m[1], m[2]};
}

static void take_fibre(lmb_line_envelope *e, int at, double t, double sigma, double mises)
{
    bool first = e->instants == 0;
    if (first || mises > e->mises[at]) {
        e->mises[at] = mises;
        e->time[at] = t;
    }
    e->greatest[at] = first ? sigma : fmax(e->greatest[at], sigma);
    e->least[at] = first ? sigma : fmin(e->least[at], sigma);
}

void lmb_line_envelope_take(lmb_line_envelope *e, double t, const double *row)
{
    bool space = e->beam->dimension == 3;
    for (int i = 0; i < e->beam->node_count; i++) {
        const lmb_section *s = &e->beam->sections[i];
        lmb_section_forces f = forces_at(e, i, row);
        lmb_fibre_stress of = lmb_fibre_stress_of(s, &f);
        if (e->instants == 0 || of.mises > e->largest[i]) {
            e->largest[i] = of.mises;
            e->largest_time[i] = t;
        }
        for (int at = i * e->fibres; at < (i + 1) * e->fibres; at++) {
            double sigma = f.N / s->A - f.Mz * e->y[at] / s->Iz;
            if (space)
                sigma += f.My * e->z[at] / s->Iy;
            take_fibre(e, at, t, sigma, sqrt(sigma * sigma + 3 * of.torsion * of.torsion));
        }
    }
    e->instants++;
}
