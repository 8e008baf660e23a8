/* Stress modes times modal coordinates. */
#include "channels/stress_state.h"

#include <string.h>

#include "channels/stress_rows.h"
#include "math/late.h"
#include "reduction/body_data.h"

/* Numbers of a place: stresses of a solid, or section forces N Vy Vz T My Mz of an end. */
enum { SIX = LMB_STRESSES };

bool lmb_has_stress(const lmb_body_data *d)
{
    return d && d->reduced->mode_count > 0 &&
           (d->stress_count > 0 || (d->line_count > 0 && d->line_section[LMB_LINE_E] > 0));
}

lmb_stress_state *lmb_stress_state_new(lmb_arena *arena, const lmb_body_data *d)
{
    lmb_stress_state *s = lmb_arena_alloc(arena, 1, sizeof *s);
    if (!s)
        return NULL;
    int ends = lmb_has_stress(d) ? 2 * d->line_count : 0;
    s->data = d;
    s->modes = d->reduced->mode_count;
    s->places = lmb_has_stress(d) ? d->stress_count + ends : 0;
    s->node = lmb_arena_integers(arena, (size_t)s->places + 1);
    s->e = lmb_arena_numbers(arena, (size_t)(lmb_stress_columns(d) + LMB_CARRIED + s->modes));
    s->size = lmb_stress_sizes(arena, d);
    s->lanes = lmb_stress_coordinates_new(arena, lmb_stress_columns(d));
    s->ends = lmb_arena_numbers(arena, LMB_STRESSES * (size_t)ends + 1);
    s->mises = lmb_arena_numbers(arena, (size_t)s->places + 1);
    if (!lmb_arena_fine(arena))
        return NULL;
    for (int i = 0; i < s->places; i++)
        s->node[i] = i < d->stress_count ? d->stress_node[i] : d->lines[i - d->stress_count];
    return s;
}

lmb_section lmb_line_section_of(const lmb_body_data *d, int line)
{
    const double *v = d->line_section + (size_t)line * LMB_LINE_NUMBERS;
    return (lmb_section){.A = v[LMB_LINE_AREA],
                         .Iy = v[LMB_LINE_IY],
                         .Iz = v[LMB_LINE_IZ],
                         .J = v[LMB_LINE_J],
                         .y_max = v[LMB_LINE_Y_MAX],
                         .z_max = v[LMB_LINE_Z_MAX],
                         .torsion_radius = v[LMB_LINE_TORSION_RADIUS],
                         .shape = (lmb_section_shape)v[LMB_LINE_SHAPE],
                         .inner_y = v[LMB_LINE_INNER_Y],
                         .inner_z = v[LMB_LINE_INNER_Z]};
}

/* out = columns x eta (added to out: more = 1), of so many numbers a mode */
static void combine(size_t numbers, int modes, const double *columns, const double *eta,
                    double more, double *out)
{
    if (numbers > 0)
        cblas_dgemv(CblasColMajor, CblasNoTrans, (int)numbers, modes, 1, columns, (int)numbers, eta,
                    1, more, out, 1);
}

void lmb_carried_motion(vec3 a, vec3 w, vec3 wd, const double *modes, int count, double *out)
{
    const double rigid[LMB_CARRIED] = {a.x,       a.y,       a.z,       wd.x,
                                       wd.y,      wd.z,      w.x * w.x, w.y * w.y,
                                       w.z * w.z, w.x * w.y, w.y * w.z, w.z * w.x};
    memcpy(out, rigid, sizeof rigid);
    memcpy(out + LMB_CARRIED, modes, (size_t)count * sizeof *out);
}

/* Whether the stresses are those of a deformation already; else keeps it. */
static bool same(lmb_stress_state *s, lmb_deformation now)
{
    int columns = lmb_stress_columns(s->data);
    size_t size = (size_t)columns * sizeof *s->e;
    size_t inertia = now.inertia ? (size_t)(LMB_CARRIED + s->modes) * sizeof *s->e : 0;
    if (s->known && memcmp(s->e, now.e, size) == 0 &&
        (!inertia || memcmp(s->e + columns, now.inertia, inertia) == 0))
        return true;
    memcpy(s->e, now.e, size);
    if (inertia)
        memcpy(s->e + columns, now.inertia, inertia);
    s->known = true;
    return false;
}

static lmb_section_forces forces_of(const double f[SIX])
{
    return (lmb_section_forces){f[0], f[1], f[2], f[3], f[4], f[5]};
}

/* Compute the stresses of solids with the same sums as for many instants. */
static void find_solids(lmb_stress_state *s, const double *e)
{
    double mises[LMB_STRESS_PLACES][LMB_LANES];
    int all = s->data->stress_count;
    lmb_stress_coordinates_put(&s->lanes, 0, s->data, s->size, e);
    lmb_stress_coordinates_list(&s->lanes, lmb_stress_columns(s->data));
    for (int first = 0; first < all; first += LMB_STRESS_PLACES) {
        int count = all - first < LMB_STRESS_PLACES ? all - first : LMB_STRESS_PLACES;
        lmb_stress_lanes(s->data, &s->lanes, first, count, mises);
        for (int i = 0; i < count; i++)
            s->mises[first + i] = mises[i][0];
    }
}

void lmb_stress_state_find(lmb_stress_state *s, lmb_deformation now)
{
    const lmb_body_data *d = s->data;
    size_t lines = 2 * SIX * (size_t)d->line_count;
    if (s->places == 0 || same(s, now))
        return;
    double *ends = s->ends;
    find_solids(s, now.e);
    combine(lines, s->modes, d->line_forces, now.e, 0, ends);
    if (now.inertia)
        combine(lines, LMB_CARRIED + s->modes, d->line_inertia, now.inertia, 1, ends);
    for (int i = 0; i < 2 * d->line_count; i++) {
        lmb_section section = lmb_line_section_of(d, i / 2);
        lmb_section_forces f = forces_of(ends + (size_t)i * SIX);
        s->mises[d->stress_count + i] = lmb_fibre_stress_of(&section, &f).mises;
    }
    s->worst = 0;
    for (int i = 1; i < s->places; i++)
        if (s->mises[i] > s->mises[s->worst])
            s->worst = i;
}

/* Adds the mean over the places of a probe of columns times numbers; a column has SIX numbers for
 * each of all places. */
static void add_mean(const lmb_probe *p, int places, int columns, const double *values,
                     const double *numbers, double sum[SIX])
{
    for (int k = 0; k < columns; k++)
        for (int i = 0; i < p->count; i++)
            for (size_t c = 0; c < SIX; c++)
                sum[c] += numbers[k] / p->count *
                          values[SIX * ((size_t)k * (size_t)places + (size_t)p->places[i]) + c];
}

void lmb_stress_of_loads(const lmb_body_data *d, const double *e, int place, double out[SIX])
{
    int modes = d->reduced->mode_count;
    memset(out, 0, SIX * sizeof *out);
    add_mean(&(lmb_probe){.places = &place, .count = 1}, d->stress_count, d->load_count,
             d->stress + SIX * (size_t)modes * (size_t)d->stress_count, e + modes, out);
}

double lmb_stress_correction(const lmb_body_data *d, const double *e, int place, double mises)
{
    double part[SIX];
    if (place >= d->stress_count || !(mises > 0))
        return 0;
    lmb_stress_of_loads(d, e, place, part);
    return lmb_von_mises(part) / mises;
}

void lmb_probe_numbers(const lmb_probe *p, const lmb_body_data *d, lmb_deformation now,
                       double out[LMB_STRESSES])
{
    int modes = d->reduced->mode_count, places = p->beam ? 2 * d->line_count : d->stress_count;
    int columns = p->beam ? modes : lmb_stress_columns(d);
    memset(out, 0, LMB_STRESSES * sizeof *out);
    add_mean(p, places, columns, p->beam ? d->line_forces : d->stress, now.e, out);
    if (p->beam && now.inertia)
        add_mean(p, places, LMB_CARRIED + modes, d->line_inertia, now.inertia, out);
}

/* The mean over the places of a probe of weights times the numbers of each column. */
static void pull_mean(const lmb_probe *p, int places, int columns, const double *values,
                      const double weights[SIX], double *out)
{
    for (int k = 0; k < columns; k++) {
        double sum[SIX] = {0}, one = 1;
        add_mean(p, places, 1, values + SIX * (size_t)k * (size_t)places, &one, sum);
        out[k] = 0;
        for (int c = 0; c < SIX; c++)
            out[k] += weights[c] * sum[c];
    }
}

void lmb_probe_slopes(const lmb_probe *p, const lmb_body_data *d,
                      const double weights[LMB_STRESSES], double *by_eta, double *by_inertia)
{
    int modes = d->reduced->mode_count, places = p->beam ? 2 * d->line_count : d->stress_count;
    pull_mean(p, places, modes, p->beam ? d->line_forces : d->stress, weights, by_eta);
    if (by_inertia)
        pull_mean(p, places, LMB_CARRIED + modes, d->line_inertia, weights, by_inertia);
}

void lmb_strain_of(const double s[LMB_STRESSES], double E, double nu, double out[LMB_STRESSES])
{
    double trace = s[LMB_SXX] + s[LMB_SYY] + s[LMB_SZZ];
    for (int c = 0; c < LMB_STRESSES; c++)
        out[c] = ((1 + nu) * s[c] - (c <= LMB_SZZ ? nu * trace : 0)) / E;
}

double lmb_tensor_along(const double t[LMB_STRESSES], vec3 a, vec3 b)
{
    return t[LMB_SXX] * a.x * b.x + t[LMB_SYY] * a.y * b.y + t[LMB_SZZ] * a.z * b.z +
           t[LMB_SXY] * (a.x * b.y + a.y * b.x) + t[LMB_SYZ] * (a.y * b.z + a.z * b.y) +
           t[LMB_SZX] * (a.z * b.x + a.x * b.z);
}
