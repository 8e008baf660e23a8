/* Balances of momentum and energy.
 *
 *   d/dt (p, L) = sum over frames coupled with the ground of (f, x x f + e_i x g_i) + m (g, c x g)
 *
 * The left side is a difference along q (+) (h v + h^2/2 a), v + h a. The right side does not count
 * forces between bodies, so it holds only if these are opposite and equal. */
#include "momentum.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "analysis/analysis.h"
#include "run/simulation.h"
#include "support.h"
#include "system/equations.h"

/* A force and a moment about the origin. */
typedef struct wrench {
    vec3 force, moment;
} wrench;

static const wrench nothing = {{0, 0, 0}, {0, 0, 0}};

static wrench add(wrench a, double factor, wrench b)
{
    return (wrench){v3_axpy(a.force, factor, b.force), v3_axpy(a.moment, factor, b.moment)};
}

/* The momentum after h, with constant accelerations. */
static wrench momentum_after(lmb_simulation *sim, double h)
{
    const lmb_state *now = sim->course.state;
    const lmb_model *m = now->model;
    lmb_state *s = lmb_state_new(m);
    assert_non_null(s);
    lmb_state_copy(s, now);
    double *step = calloc((size_t)m->nv + 1, sizeof *step);
    for (int j = 0; j < m->nv; j++) {
        step[j] = h * now->v[j] + h * h / 2 * now->a[j];
        s->v[j] = now->v[j] + h * now->a[j];
    }
    lmb_retract(s, now->q, step);
    lmb_update(s, now->t);
    lmb_update_rates(s);
    lmb_balance b = lmb_total_balance(s);
    free(step);
    lmb_state_free(s);
    return (wrench){b.momentum, b.angular_momentum};
}

/* d/dt of the momentum by differences of sixth order. */
static wrench rate_of_momentum(lmb_simulation *sim)
{
    static const double weights[] = {3.0 / 4, -3.0 / 20, 1.0 / 60};
    const double h = 1e-4;
    wrench sum = nothing;
    for (int k = 1; k <= 3; k++) {
        sum = add(sum, weights[k - 1] / h, momentum_after(sim, k * h));
        sum = add(sum, -weights[k - 1] / h, momentum_after(sim, -k * h));
    }
    return sum;
}

/* The force and moment of a load on a frame. */
static wrench wrench_of(const lmb_frame *x, const lmb_frame *load)
{
    vec3 moment = v3_cross(x->p, load->p);
    for (int i = 0; i < 3; i++)
        moment = v3_add(moment, v3_cross(x->e[i], load->e[i]));
    return (wrench){load->p, moment};
}

/* The load of rows and forces on the moving one of two frames, if the other is the ground. */
static wrench load_of_pair(const lmb_state *s, int pair, const lmb_frame *on_A,
                           const lmb_frame *on_B)
{
    const lmb_model *m = s->model;
    const lmb_pair *p = &m->parts.pairs[pair];
    bool a = m->parts.markers[p->a].body != 0, b = m->parts.markers[p->b].body != 0;
    if (a == b)
        return nothing;
    return wrench_of(&s->frames[a ? p->a : p->b], a ? on_A : on_B);
}

static wrench loads_of_rows(const lmb_state *s)
{
    const lmb_model *m = s->model;
    wrench sum = nothing;
    for (int r = 0; r < m->nrows; r++) {
        const lmb_row *row = &m->parts.rows[r];
        for (int t = row->term; t < row->term + row->term_count && !s->row_off[r]; t++) {
            int pair = m->parts.terms[t].pair;
            bool seen = false;
            for (int k = row->term; k < t; k++)
                seen |= m->parts.terms[k].pair == pair;
            lmb_frame on_A = lmb_row_force(s, r, 1, pair, false);
            lmb_frame on_B = lmb_row_force(s, r, 1, pair, true);
            if (!seen)
                sum = add(sum, 1, load_of_pair(s, pair, &on_A, &on_B));
        }
    }
    return sum;
}

static wrench loads_of_forces(const lmb_state *s)
{
    const lmb_model *m = s->model;
    wrench sum = nothing;
    for (int i = 0; i < m->force_count; i++) {
        const lmb_force *f = &m->forces[i];
        lmb_force_at at = lmb_force_input(s, f);
        if (f->type->prepare)
            f->type->prepare(f, &at);
        for (int k = 0; k < f->pair_count && !s->force_off[i]; k++) {
            lmb_frame on_A = frame_zero(), on_B = frame_zero();
            lmb_force_go_to(s, f, k, &at);
            f->type->evaluate(f, &at, &on_A, &on_B);
            sum = add(sum, 1, load_of_pair(s, f->pair + k, &on_A, &on_B));
        }
    }
    return sum;
}

/* The weight of all bodies. The potential energy under unit gravity along an axis is -m c. */
static wrench weight(const lmb_state *s)
{
    lmb_model *m = (lmb_model *)s->model;
    vec3 g = m->gravity, mc = v3(0, 0, 0);
    double mass = 0;
    for (int i = 1; i < m->body_count; i++)
        mass += m->bodies[i].mass;
    for (int k = 0; k < 3; k++) {
        m->gravity = v3_axis(k);
        mc = v3_axpy(mc, -lmb_total_balance(s).potential, v3_axis(k));
    }
    m->gravity = g;
    return (wrench){v3_scale(mass, g), v3_cross(mc, g)};
}

static void compare_momentum(worst_channel *w, lmb_simulation *sim)
{
    const lmb_state *s = sim->course.state;
    /* rounding of the difference and of multipliers, which ali3p knows to 1e-6 */
    double allowed = sim->analysis->integration.integrator->projects ? 1e-5 : 1e-7;
    wrench left = rate_of_momentum(sim), own = weight(s);
    wrench right = add(add(loads_of_rows(s), 1, loads_of_forces(s)), 1, own);
    wrench off = add(left, -1, right);
    bool plane = s->model->dimension == 2;
    if (plane) {
        off.force.z = off.moment.x = off.moment.y = 0;
    }
    double scale = v3_norm(left.force) + v3_norm(own.force);
    char where[100];
    snprintf(where, sizeof where, "%s, momentum at t = %g", sim->analysis->name, s->t);
    note_difference(w, v3_norm(off.force) / scale, allowed, where);
    snprintf(where, sizeof where, "%s, angular momentum at t = %g", sim->analysis->name, s->t);
    note_difference(w, v3_norm(off.moment) / (scale * s->model->length + v3_norm(left.moment)),
                    allowed, where);
}

/* Compare the balance of energies of a motion with its largest energy. */
static void compare_energy(worst_channel *w, const comparison *how, const model_run *r, int a)
{
    double tolerance = r->model->analyses[a].integration.tolerance, largest = 1;
    lmb_series balance = read_series(r, a, "energy.balance");
    lmb_series kinetic = read_series(r, a, "energy.kinetic");
    lmb_series elastic = read_series(r, a, "energy.elastic");
    for (int k = 0; k < balance.count; k++)
        largest = fmax(largest, fmax(fabs(kinetic.values[k]), fabs(elastic.values[k])));
    for (int k = 0; k < balance.count; k++)
        note_difference(w, fabs(balance.values[k] - balance.values[0]) / largest,
                        how->tolerances * tolerance, "energy.balance");
    lmb_series_free(&balance);
    lmb_series_free(&kinetic);
    lmb_series_free(&elastic);
}

void check_momentum(worst_channel *w, const comparison *how, model_run *r)
{
    for (int a = 0; a < r->model->analysis_count; a++) {
        const lmb_analysis *x = &r->model->analyses[a];
        bool projected =
            x->integration.integrator->projects && x->integration.projection != LMB_PROJECT_NONE;
        if (x->kind != &lmb_analysis_dynamics || x->from >= 0 || x->without.driver_count > 0 ||
            projected) /* out of the equations of motion */
            continue;
        lmb_simulation *sim;
        if (lmb_simulation_new(&sim, r->context, r->model, x->name))
            continue;
        compare_momentum(w, sim);
        for (int k = 1; k <= 2; k++)
            if (!lmb_simulation_advance(sim, x->start + k * x->output_step))
                compare_momentum(w, sim);
        lmb_simulation_free(sim);
        if (x->integration.integrator->controlled)
            compare_energy(w, how, r, a);
    }
}
