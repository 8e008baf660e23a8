/* Stress modes times modal coordinates of many instants. */
#include "channels/stress_rows.h"

#include <math.h>
#include <string.h>

#include "math/small.h"
#include "reduction/body_data.h"

enum { HALVES = LMB_LANES / 4 };

/* Von Mises' stress of four instants, as lmb_von_mises. */
LMB_PIECE void put_mises(const lmb_four *sxx, double *out)
{
    const lmb_four *s = sxx;
    lmb_four a = s[LMB_SXX * HALVES] - s[LMB_SYY * HALVES];
    lmb_four b = s[LMB_SYY * HALVES] - s[LMB_SZZ * HALVES];
    lmb_four c = s[LMB_SZZ * HALVES] - s[LMB_SXX * HALVES];
    lmb_four xy = s[LMB_SXY * HALVES], yz = s[LMB_SYZ * HALVES], zx = s[LMB_SZX * HALVES];
    lmb_four square = (a * a + b * b + c * c) / 2 + 3 * (xy * xy + yz * yz + zx * zx);
    for (int l = 0; l < 4; l++)
        out[l] = sqrt(square[l]);
}

lmb_stress_coordinates lmb_stress_coordinates_new(lmb_arena *arena, int columns)
{
    return (lmb_stress_coordinates){lmb_arena_numbers(arena, LMB_LANES * (size_t)columns),
                                    lmb_arena_integers(arena, (size_t)columns + 1), 0};
}

void lmb_stress_coordinates_put(lmb_stress_coordinates *to, int lane, const lmb_body_data *d,
                                const double *size, const double *e)
{
    const double rounding = 1e-13;
    int modes = d->reduced->mode_count, columns = lmb_stress_columns(d);
    double most = 0;
    for (int k = 0; k < columns; k++)
        most = fmax(most, fabs(e[k]) * size[k]);
    for (int k = 0; k < columns; k++) {
        bool counts = k < modes || fabs(e[k]) * size[k] > rounding * most;
        to->e[LMB_LANES * k + lane] = counts ? e[k] : 0;
    }
}

void lmb_stress_coordinates_list(lmb_stress_coordinates *c, int columns)
{
    c->used_count = 0;
    for (int k = 0; k < columns; k++) {
        bool used = false;
        for (int l = 0; l < LMB_LANES; l++)
            used = used || c->e[LMB_LANES * k + l] != 0;
        if (used)
            c->used[c->used_count++] = k;
    }
}

double *lmb_stress_sizes(lmb_arena *arena, const lmb_body_data *d)
{
    size_t numbers = LMB_STRESSES * (size_t)d->stress_count;
    int columns = lmb_stress_columns(d);
    double *size = lmb_arena_numbers(arena, (size_t)columns + 1);
    for (int k = 0; size && k < columns; k++)
        for (size_t i = 0; i < numbers; i++)
            size[k] = fmax(size[k], fabs(d->stress[(size_t)k * numbers + i]));
    return size;
}

LMB_WIDE void lmb_stress_lanes(const lmb_body_data *d, const lmb_stress_coordinates *at, int first,
                               int count, double (*mises)[LMB_LANES])
{
    size_t numbers = LMB_STRESSES * (size_t)d->stress_count;
    for (int i = 0; i < count; i++) {
        lmb_four s[LMB_STRESSES * HALVES] = {0};
        const double *place = d->stress + LMB_STRESSES * (size_t)(first + i);
        for (int u = 0; u < at->used_count; u++) {
            int k = at->used[u];
            const double *column = place + (size_t)k * numbers;
            const lmb_four *e = (const lmb_four *)(const void *)(at->e + LMB_LANES * k);
#pragma GCC unroll 6
            for (int c = 0; c < LMB_STRESSES; c++) {
                s[c * HALVES] += column[c] * e[0];
                s[c * HALVES + 1] += column[c] * e[1];
            }
        }
        put_mises(s, mises[i]);
        put_mises(s + 1, mises[i] + 4);
    }
}

lmb_stress_rows *lmb_stress_rows_new(lmb_arena *arena, const lmb_body_data *d, const double *size)
{
    lmb_stress_rows *r = lmb_arena_alloc(arena, 1, sizeof *r);
    if (!r)
        return NULL;
    r->data = d;
    r->size = size;
    r->places = d->stress_count;
    r->parts = (r->places + LMB_STRESS_PLACES - 1) / LMB_STRESS_PLACES;
    for (int i = 0; i < LMB_STRESS_ROWS / LMB_LANES; i++)
        r->lanes[i] = lmb_stress_coordinates_new(arena, lmb_stress_columns(d));
    r->part = lmb_arena_alloc(arena, (size_t)r->parts, sizeof *r->part);
    r->largest = lmb_arena_numbers(arena, (size_t)r->places);
    r->instant = lmb_arena_integers(arena, (size_t)r->places);
    return lmb_arena_fine(arena) ? r : NULL;
}

void lmb_stress_rows_put(lmb_stress_rows *r, const double *e, bool counts)
{
    int i = r->count++;
    lmb_stress_coordinates *to = &r->lanes[i / LMB_LANES];
    r->counted[i] = counts;
    lmb_stress_coordinates_put(to, i % LMB_LANES, r->data, r->size, e);
    lmb_stress_coordinates_list(to, lmb_stress_columns(r->data));
}

/* Takes the stresses of one place at some instants, from `begin` on. */
LMB_WIDE static void take_place(lmb_stress_rows *r, lmb_stress_part *part, int place, int begin,
                                const double *mises)
{
    double E = r->data->stress_material[2 * (size_t)place];
    for (int l = 0; l < LMB_LANES && begin + l < r->count; l++) {
        int i = begin + l;
        double stress = mises[l], strain = stress / E;
        if (stress > part->stress[i].value)
            part->stress[i] = (lmb_stress_most){stress, place};
        if (strain > part->strain[i].value)
            part->strain[i] = (lmb_stress_most){strain, place};
        if (stress * r->counted[i] > r->largest[place]) {
            r->largest[place] = stress;
            r->instant[place] = i;
        }
    }
}

void lmb_stress_rows_find(lmb_stress_rows *r, int number)
{
    int first = number * LMB_STRESS_PLACES;
    int count = r->places - first < LMB_STRESS_PLACES ? r->places - first : LMB_STRESS_PLACES;
    double mises[LMB_STRESS_PLACES][LMB_LANES];
    lmb_stress_part *part = &r->part[number];
    for (int i = 0; i < r->count; i++)
        part->stress[i] = part->strain[i] = (lmb_stress_most){-1, first};
    memset(r->largest + first, 0, (size_t)count * sizeof *r->largest);
    for (int begin = 0; begin < r->count; begin += LMB_LANES) {
        lmb_stress_lanes(r->data, &r->lanes[begin / LMB_LANES], first, count, mises);
        for (int i = 0; i < count; i++)
            take_place(r, part, first + i, begin, mises[i]);
    }
}

lmb_stress_most lmb_stress_rows_most(const lmb_stress_rows *r, int instant, bool strain)
{
    lmb_stress_most most = {-1, 0};
    for (int p = 0; p < r->parts; p++) {
        const lmb_stress_part *part = &r->part[p];
        const lmb_stress_most *one = strain ? &part->strain[instant] : &part->stress[instant];
        if (one->value > most.value)
            most = *one;
    }
    return most;
}
