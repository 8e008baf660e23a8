/* A rotor that is run up: the speed W grows evenly,
 *
 *   M q'' + (C + W G) q' + (K + W H) q = U (W^2 - i W') exp(i phi),  phi' = W
 *
 * by Newmark's method (mean acceleration), which neither adds nor takes energy. The drive's torque
 * turns with the slope of the shaft, so that W' adds nothing to the gyroscopic moments. With
 * complex unknowns these are y + i z; otherwise they are real. */
#include <math.h>

#include "rotor/results.h"
#include "math/vec.h"

enum { STEPS_A_TURN = 200, MOST_KEPT = 20000 };

double lmb_run_up_steps(const lmb_rotor *r)
{
    double fastest = fmax(fabs(r->run_from), fabs(r->run_to));
    double step = r->run_step > 0 ? r->run_step : 2 * LMB_PI / (fmax(fastest, 1e-9) * STEPS_A_TURN);
    return fmax(ceil(r->run_duration / step * (1 - 1e-12)), 10);
}

/* The number of steps, and every how many of them an instant is kept. */
static int steps_of(const lmb_rotor *r, int *every)
{
    int steps = (int)fmin(lmb_run_up_steps(r), LMB_RUN_UP_MOST);
    *every = steps / MOST_KEPT + 1;
    return steps;
}

int lmb_run_up_room(const lmb_rotor *r)
{
    int every, steps = steps_of(r, &every);
    return steps / every + 2;
}

typedef struct motion {
    lmb_complex *q, *v, *a;
    double from, rate;
} motion;

/* Unbalance at a time, the same on real unknowns. */
static void load(const lmb_rotor_system *s, const motion *m, double t, lmb_complex *f)
{
    double W = m->from + m->rate * t, phi = m->from * t + m->rate * t * t / 2;
    double size = hypot(W * W, m->rate), turn = phi + atan2(-m->rate, W * W);
    lmb_rotor_turning_load(s, size, turn, f);
    for (int i = 0; i < s->n; i++) {
        if (!s->isotropic)
            f[i] = creal(f[i]);
        if (s->held[i])
            f[i] = 0;
    }
}

/* q = known part of the step, then the solution of its equations. */
static bool step(lmb_rotor_system *s, motion *m, double h, double t)
{
    int n = s->n;
    lmb_rotor_set_speed(s, m->from + m->rate * t);
    if (!lmb_rotor_factorise(s, 2 / h))
        return false;
    lmb_complex *f = s->vector[3], *p = s->vector[4], *x = s->vector[5];
    load(s, m, t, f);
    for (int i = 0; i < n; i++)
        p[i] = 4 / (h * h) * m->q[i] + 4 / h * m->v[i] + m->a[i];
    lmb_band_multiply(&s->M, p, x);
    for (int i = 0; i < n; i++) {
        p[i] = 2 / h * m->q[i] + m->v[i];
        f[i] += x[i];
    }
    lmb_band_multiply(&s->C, p, x);
    for (int i = 0; i < n; i++)
        f[i] += x[i];
    lmb_band_solve(&s->factor, f);
    for (int i = 0; i < n; i++) {
        lmb_complex moved = f[i] - m->q[i], v = 2 / h * moved - m->v[i];
        m->a[i] = 4 / (h * h) * moved - 4 / h * m->v[i] - m->a[i];
        m->v[i] = v;
        m->q[i] = f[i];
    }
    return true;
}

/* It begins at rest, or in the steady motion at the first speed. */
static lmb_status begin(lmb_rotor_system *s, motion *m)
{
    for (int i = 0; i < s->n; i++)
        m->q[i] = m->v[i] = m->a[i] = 0;
    if (m->from == 0)
        return LMB_OK;
    lmb_status status = lmb_rotor_unbalance_vector(s, m->from, m->q);
    for (int i = 0; i < s->n && !status; i++) {
        lmb_complex q = m->q[i];
        m->v[i] = CMPLX(0, m->from) * q;
        m->a[i] = -m->from * m->from * q;
        if (!s->isotropic) {
            m->q[i] = creal(q);
            m->v[i] = creal(m->v[i]);
            m->a[i] = creal(m->a[i]);
        }
    }
    return status;
}

/* Notes the largest amplitudes, and the instant itself where it is kept. */
static void note(const lmb_rotor_system *s, double t, double speed, const lmb_complex *q, bool kept,
                 lmb_run_up *u)
{
    for (int i = 0; i < s->station_count; i++) {
        lmb_complex at = q[s->unknown[s->stations[i].node]];
        if (cabs(at) > u->most[i]) {
            u->most[i] = cabs(at);
            u->at[i] = speed;
        }
        if (kept) {
            u->y[u->count * s->station_count + i] = creal(at);
            u->z[u->count * s->station_count + i] = cimag(at);
        }
    }
    u->t[u->count] = t;
    u->speed[u->count] = speed;
    u->count += kept;
}

lmb_status lmb_rotor_run_up(lmb_rotor_system *s, lmb_arena *arena, lmb_rotor_rows *rows,
                            lmb_run_up *u)
{
    const lmb_rotor *r = s->rotor;
    size_t stations = (size_t)s->station_count, room = (size_t)lmb_run_up_room(r);
    *u = (lmb_run_up){.t = lmb_arena_numbers(arena, room),
                      .speed = lmb_arena_numbers(arena, room),
                      .y = lmb_arena_numbers(arena, room * stations + 1),
                      .z = lmb_arena_numbers(arena, room * stations + 1),
                      .most = lmb_arena_numbers(arena, stations + 1),
                      .at = lmb_arena_numbers(arena, stations + 1),
                      .first_row = rows->count};
    int every, steps = steps_of(r, &every);
    double largest = 0;
    motion m = {s->vector[0], s->vector[1], s->vector[2], r->run_from,
                (r->run_to - r->run_from) / r->run_duration};
    lmb_status status = lmb_check_memory(s->context, arena);
    if (!status)
        status = begin(s, &m);
    for (int i = 0; i <= steps && !status; i++) {
        double t = r->run_duration * i / steps;
        lmb_complex *q = s->vector[3];
        if (i > 0 && !step(s, &m, r->run_duration / steps, t))
            return lmb_fail(s->context, LMB_SOLVER, "a step of the run-up failed at %g s", t);
        lmb_rotor_still(s, m.q, q);
        note(s, t, m.from + m.rate * t, q, i % every == 0, u);
        for (int quarter = 0; quarter < 4 && i % every == 0; quarter += 3)
            largest = fmax(largest, lmb_rotor_rows_add(rows, q, quarter));
        if (i % 1000 == 0)
            status = lmb_continue(s->context, "run-up", (double)i / steps);
    }
    lmb_rotor_rows_scale(rows, u->first_row, largest);
    return status;
}
