/* The shapes are chosen one after the other: the row that is described worst gives the next one,
 * whose part is then taken out of all rows,
 *
 *   f_i = b . r_i,   r_i <- r_i - f_i b,   b = r / |r|
 *
 * until no rest matters any more. What was taken out are the factors: row i is the sum of f_i b. */
#include "rotor/results.h"

#include <math.h>

lmb_status lmb_rotor_rows_new(lmb_rotor_rows *out, const lmb_rotor_system *s, int room)
{
    *out = (lmb_rotor_rows){.arena = lmb_arena_new(), .system = s};
    out->of = lmb_arena_alloc(out->arena, (size_t)room * (size_t)s->scalars + 1, sizeof(float));
    out->scale = lmb_arena_numbers(out->arena, (size_t)room + 1);
    return lmb_check_memory(s->context, out->arena);
}

/* What makes slopes comparable with deflections. */
static double slope_weight(const lmb_rotor_system *s)
{
    return s->length / s->element_count;
}

static double largest_of(const float *row, int count)
{
    double largest = 0;
    for (int a = 0; a < count; a++)
        largest = fmax(largest, fabs((double)row[a]));
    return largest;
}

static float *row_at(const lmb_rotor_rows *rows, int i)
{
    return rows->of + (size_t)i * (size_t)rows->system->scalars;
}

double lmb_rotor_rows_add(lmb_rotor_rows *rows, const lmb_complex *u, int quarters)
{
    const lmb_rotor_system *s = rows->system;
    float *row = row_at(rows, rows->count++);
    for (int a = 0; a < s->scalars; a++)
        row[a] = (float)(quarters == 0 ? creal(u[a]) : quarters == 1 ? -cimag(u[a]) : cimag(u[a]));
    for (int i = 0; i < s->node_count; i++)
        row[s->unknown[i] + 1] *= (float)slope_weight(s);
    return largest_of(row, s->scalars);
}

void lmb_rotor_rows_scale(lmb_rotor_rows *rows, int first, double scale)
{
    for (int i = first; i < rows->count; i++)
        rows->scale[i] = scale;
}

/* Takes the parts along a direction (NULL: none) out of all rows as factors, and returns the row
 * whose rest is then the largest part of its scale; -1: none matters. */
static int take_out_all(lmb_rotor_rows *rows, const double *direction, double *factor)
{
    int worst = -1, scalars = rows->system->scalars;
    double most = LMB_ROTOR_BASIS_TOLERANCE;
    for (int i = 0; i < rows->count; i++) {
        float *row = row_at(rows, i);
        double part = 0;
        for (int a = 0; a < scalars && direction; a++)
            part += (double)row[a] * direction[a];
        for (int a = 0; a < scalars && direction; a++)
            row[a] -= (float)(part * direction[a]);
        if (direction)
            factor[i] = part;
        double rest = rows->scale[i] > 0 ? largest_of(row, scalars) : 0;
        if (rest > most * rows->scale[i]) {
            worst = i;
            most = rest / rows->scale[i];
        }
    }
    return worst;
}

/* A factor without the digits that do not matter, so that files of many are small; 0 in motions
 * that grow without bounds. */
static double rounded(double factor, double scale)
{
    if (!(scale > 0 && isfinite(scale)))
        return 0;
    double step = exp2(floor(log2(LMB_ROTOR_BASIS_TOLERANCE / 32 * scale)));
    return step * round(factor / step);
}

/* Makes a direction a shape: slopes as they are, the largest deflection 1. */
static void normalise(const lmb_rotor_rows *rows, double *shape, double *factor)
{
    const lmb_rotor_system *s = rows->system;
    double largest = 0;
    for (int i = 0; i < s->node_count; i++)
        shape[s->unknown[i] + 1] /= slope_weight(s);
    for (int i = 0; i < s->node_count; i++)
        largest = fmax(largest, fabs(shape[s->unknown[i]]));
    if (!(largest > 0))
        return;
    for (int a = 0; a < s->scalars; a++)
        shape[a] /= largest;
    for (int i = 0; i < rows->count; i++)
        factor[i] = rounded(largest * factor[i], rows->scale[i]);
}

lmb_status lmb_rotor_basis_of(lmb_rotor_basis *out, lmb_arena *arena, lmb_rotor_rows *rows)
{
    int scalars = rows->system->scalars;
    size_t count = (size_t)rows->count, most = (size_t)scalars;
    *out = (lmb_rotor_basis){.shape = lmb_arena_alloc(arena, most + 1, sizeof *out->shape),
                             .factor = lmb_arena_alloc(arena, most + 1, sizeof *out->factor)};
    for (int worst = take_out_all(rows, NULL, NULL); out->count < scalars && worst >= 0;) {
        double *shape = lmb_arena_numbers(arena, most + 1);
        double *factor = lmb_arena_numbers(arena, count + 1);
        if (!lmb_arena_fine(arena))
            break;
        const float *row = row_at(rows, worst);
        double square = 0;
        for (int a = 0; a < scalars; a++)
            square += (double)row[a] * (double)row[a];
        for (int a = 0; a < scalars; a++)
            shape[a] = (double)row[a] / sqrt(square);
        worst = take_out_all(rows, shape, factor);
        normalise(rows, shape, factor);
        out->shape[out->count] = shape;
        out->factor[out->count++] = factor;
    }
    return lmb_check_memory(rows->system->context, arena);
}
