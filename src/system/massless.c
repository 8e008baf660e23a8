/* Which body without inertia makes the equations of motion singular.
 *
 * M a + Phi_q^T lambda = Q, Phi_q a = gamma has one solution unless there is an x with M x = 0 and
 * Phi_q x = 0: a motion that the joints allow and that moves no mass. With M + e W in place of M, W
 * the metric of the model, and forces f on all coordinates, such an x grows as 1/e:
 *
 *   (M + e W) x + Phi_q^T y = f,   Phi_q x = 0 */
#include <string.h>

#include "system/solver.h"

/* e as a part of the largest mass; what has inertia moves by about as much less. */
static const double part = 1e-9;

int lmb_find_massless(lmb_solver *s)
{
    const lmb_model *m = s->state->model;
    lmb_arena *arena = lmb_arena_new();
    double *mass = lmb_arena_numbers(arena, m->mass_count), *f = lmb_arena_numbers(arena, m->nv);
    double *x = lmb_arena_numbers(arena, m->nv), most = 0;
    int found = -1;
    if (lmb_arena_fine(arena)) {
        double e = part * m->heaviest;
        lmb_mass_blocks(s->state, mass);
        lmb_jacobian(s->state);
        for (int i = 0; i < m->mass_count; i++)
            mass[i] += e * s->metric[i];
        for (int j = 0; j < m->nv; j++) /* forces that no motion is perpendicular to */
            f[j] = (1 + 0.3 * sin(1.7 * j)) * m->columns[j].size;
        if (lmb_solver_factor_with(s, mass, lmb_proximal / m->heaviest))
            lmb_saddle_solve(s->saddle, f, NULL, x, s->rows);
        for (int j = 0; j < m->nv; j++) {
            double move = fabs(x[j]) * m->columns[j].size * e;
            if (isfinite(move) && move > most) {
                most = move;
                found = j;
            }
        }
    }
    lmb_arena_free(arena);
    return most > 1e-3 ? found : -1; /* about 1 where nothing resists */
}
