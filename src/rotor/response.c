/* Forced motion of a rotor: unbalance, weight; and quick estimates of its lowest frequency.
 *
 * Unbalance U (kg m) at the angle p:  (K + i W C - W^2 M) q = U W^2 exp(i p). Weight: K q = M g.
 * Dunkerley: 1 / w^2 = 1 / w_shaft^2 + sum of 1 / w_disc^2. Rayleigh: w^2 = (1^T M q) / (q^T M q)
 * with the deflection q under a unit of weight. */
#include <math.h>
#include <string.h>

#include "rotor/rotor.h"
#include "rotor/eigen.h"

/* A force that turns with the shaft, at the deflection of a node. */
static void add_turning(const lmb_rotor_system *s, lmb_complex *f, int node, double amount,
                        double phase)
{
    lmb_complex force = amount * CMPLX(cos(phase), sin(phase));
    lmb_complex *to = f + s->planes * s->unknown[node];
    to[0] += force;
    if (s->planes == 2)
        to[1] += force * CMPLX(0, -1);
}

void lmb_rotor_turning_load(const lmb_rotor_system *s, double factor, double turn, lmb_complex *f)
{
    const lmb_rotor *r = s->rotor;
    memset(f, 0, (size_t)s->n * sizeof *f);
    for (int i = 0; i < r->disc_count; i++)
        add_turning(s, f, s->disc_node[i], factor * r->discs[i].unbalance,
                    turn + r->discs[i].phase);
    for (int i = 0; i < r->unbalance_count; i++)
        add_turning(s, f, s->unbalance_node[i], factor * r->unbalances[i].amount,
                    turn + r->unbalances[i].phase);
}

/* Held unknowns take no load. */
static void hold(const lmb_rotor_system *s, lmb_complex *f)
{
    for (int i = 0; i < s->n; i++)
        if (s->held[i])
            f[i] = 0;
}

lmb_status lmb_rotor_unbalance_vector(lmb_rotor_system *s, lmb_context *context, double speed,
                                      lmb_complex *q)
{
    lmb_rotor_set_speed(s, speed);
    if (!lmb_rotor_factorise(s, CMPLX(0, speed))) {
        lmb_fail(context, LMB_SOLVER, "the response at %g rad/s is without bounds", speed);
        lmb_hint(context, "give it some damping, or bearings that hold it");
        return LMB_SOLVER;
    }
    lmb_rotor_turning_load(s, speed * speed, 0, q);
    hold(s, q);
    lmb_band_solve(&s->factor, q);
    return LMB_OK;
}

lmb_status lmb_rotor_unbalance(lmb_rotor_system *s, lmb_context *context, double speed,
                               lmb_complex *y, lmb_complex *z)
{
    lmb_arena *room = lmb_arena_new();
    lmb_complex *q = lmb_arena_alloc(room, (size_t)s->n + 1, sizeof *q);
    lmb_status status =
        q ? lmb_rotor_unbalance_vector(s, context, speed, q) : lmb_fail_memory(context);
    if (!status)
        lmb_rotor_planes(s, q, false, y, z);
    lmb_arena_free(room);
    return status;
}

lmb_orbit lmb_orbit_of(lmb_complex y, lmb_complex z)
{
    /* y + i z = F exp(i w t) + B exp(-i w t) */
    lmb_complex F = (y + CMPLX(0, 1) * z) / 2, B = conj((y - CMPLX(0, 1) * z) / 2);
    return (lmb_orbit){.major = cabs(F) + cabs(B),
                       .minor = cabs(F) - cabs(B),
                       .angle = (carg(F) + carg(B)) / 2,
                       .phase = carg(y)};
}

/* --- weight ----------------------------------------------------------------------------------- */

lmb_status lmb_rotor_bearing_forces(lmb_rotor_system *s, lmb_context *context, const lmb_complex *q,
                                    lmb_complex frequency, const lmb_complex *load,
                                    lmb_complex (*forces)[2])
{
    const lmb_rotor *r = s->rotor;
    lmb_arena *room = lmb_arena_new();
    size_t n = (size_t)s->n;
    lmb_complex *sum = lmb_arena_alloc(room, 2 * n + 1, sizeof *sum);
    lmb_status status = lmb_check_memory(context, room);
    /* what holds the held unknowns: K q + s C q + s^2 M q - f */
    const lmb_band *const of[] = {&s->raw_K, &s->raw_C, &s->raw_M};
    lmb_complex factor = 1;
    for (int k = 0; k < 3 && !status; k++, factor *= frequency) {
        lmb_band_multiply(of[k], q, sum + n);
        for (size_t i = 0; i < n; i++)
            sum[i] += factor * sum[n + i];
    }
    /* springs: of the whole without them */
    for (int b = 0; b < r->bearing_count && !status; b++) {
        int at = s->planes * s->unknown[s->bearing_node[b]];
        for (int k = 0; k < 2; k++)
            forces[b][k] = k < s->planes && s->held[at + k] ? load[at + k] - sum[at + k] : 0;
        if (r->bearings[b].hold == LMB_ROTOR_SPRING)
            lmb_rotor_spring_force(s, b, q, frequency, forces[b]);
    }
    lmb_arena_free(room);
    return status;
}

/* The force of gravity; supports have weight too. `g` is room for n numbers. */
static void set_weight(const lmb_rotor_system *s, lmb_complex *g, lmb_complex *f)
{
    const double *gravity = s->rotor->gravity;
    for (int i = 0; i < s->n; i++)
        g[i] = s->isotropic ? CMPLX(gravity[0], gravity[1]) : gravity[i % 2];
    for (int i = 0; i < s->node_count; i++) /* slopes have none */
        for (int k = 0; k < s->planes; k++)
            g[s->planes * (s->unknown[i] + 1) + k] = 0;
    lmb_band_multiply(&s->mass, g, f);
}

lmb_status lmb_rotor_sag(lmb_rotor_system *s, lmb_context *context, double speed, double *y,
                         double *z, double (*forces)[2])
{
    int bearings = s->rotor->bearing_count;
    lmb_arena *room = lmb_arena_new();
    size_t n = (size_t)s->n;
    lmb_complex *q = lmb_arena_alloc(room, 2 * n + 1, sizeof *q), *f = q + n;
    lmb_complex(*of)[2] = lmb_arena_alloc(room, (size_t)bearings + 1, sizeof *of);
    lmb_status status = lmb_check_memory(context, room);
    if (!status) {
        lmb_rotor_set_speed(s, speed);
        set_weight(s, q, f);
        memcpy(q, f, n * sizeof *q);
        hold(s, q);
        if (!lmb_band_factorise(&s->factor, &s->K))
            status = lmb_fail(context, LMB_SOLVER, "the stiffness is singular at %g rad/s", speed);
    }
    if (!status) {
        lmb_band_solve(&s->factor, q);
        status = lmb_rotor_bearing_forces(s, context, q, 0, f, of);
        lmb_rotor_real_planes(s, q, y, z);
    }
    for (int b = 0; b < bearings && !status; b++) {
        forces[b][0] = creal(of[b][0]);
        forces[b][1] = s->isotropic ? cimag(of[b][0]) : creal(of[b][1]);
    }
    lmb_arena_free(room);
    return status;
}

/* --- estimates -------------------------------------------------------------------------------- */

typedef struct still {
    lmb_rotor_system *s;
    const lmb_band *mass;
} still;

static void apply(void *user, const lmb_complex *x, lmb_complex *y)
{
    still *w = user;
    lmb_band_multiply(w->mass, x, y);
    lmb_band_solve(&w->s->factor, y);
}

/* The lowest frequency with the mass matrix given and the factorised stiffness. */
static double lowest(lmb_rotor_system *s, lmb_arena *room, const lmb_band *mass)
{
    lmb_complex value = 0, *x = lmb_arena_alloc(room, (size_t)s->n + 1, sizeof *x);
    still w = {s, mass};
    int found = x ? lmb_arnoldi(room, s->n, apply, &w, 1, false, &value, x) : 0;
    return found == 1 && creal(value) > 0 ? 1 / sqrt(creal(value)) : INFINITY;
}

/* The flexibility at an unknown: its motion under a unit force on it; q is room for n numbers. */
static double flexibility(lmb_rotor_system *s, lmb_complex *q, int at)
{
    memset(q, 0, (size_t)s->n * sizeof *q);
    if (s->held[at])
        return 0;
    q[at] = 1;
    lmb_band_solve(&s->factor, q);
    return creal(q[at]);
}

/* 1 / w^2 of a disc alone on a shaft without mass, in one plane: the larger eigenvalue of its mass
 * and its moment of inertia times the flexibilities there. */
static double disc_alone(lmb_rotor_system *s, lmb_complex *q, int number, int plane)
{
    const lmb_rotor_disc *d = &s->rotor->discs[number];
    int planes = s->planes;
    int at = planes * s->unknown[s->disc_node[number]] + plane, tilt = at + planes;
    double moved = flexibility(s, q, at), tilted = creal(q[tilt]), turned = flexibility(s, q, tilt);
    double half = (d->mass * moved + d->diametral * turned) / 2;
    double both = d->mass * d->diametral * (moved * turned - tilted * tilted);
    return half + sqrt(fmax(half * half - both, 0));
}

/* Masses of Dunkerley's formula, each with the flexibility of the plane that is softer there. The
 * rest, of supports, seals and couplings, is what the mass matrix has beside shaft and discs. */
static double add_masses(lmb_rotor_system *s, lmb_complex *q, lmb_band *rest,
                         lmb_rotor_estimates *out)
{
    const lmb_rotor *r = s->rotor;
    int planes = s->planes;
    double sum = 0, others[2] = {0, 0};
    for (int i = 0; i < r->disc_count; i++) {
        double part = 0;
        for (int plane = 0; plane < planes; plane++) {
            int at = planes * s->unknown[s->disc_node[i]] + plane;
            part = fmax(part, disc_alone(s, q, i, plane));
            *lmb_band_at(rest, at, at) -= r->discs[i].mass;
            *lmb_band_at(rest, at + planes, at + planes) -= r->discs[i].diametral;
        }
        out->disc[i] = 1 / sqrt(part);
        sum += part;
    }
    for (int at = 0; at < s->n; at++) {
        double own = creal(*lmb_band_at(rest, at, at)), all = creal(*lmb_band_at(&s->M, at, at));
        if (own > 1e-9 * all)
            others[at % planes] += own * flexibility(s, q, at);
    }
    double most = fmax(others[0], others[1]);
    out->others = most > 0 ? 1 / sqrt(most) : 0;
    return sum + most;
}

/* Rayleigh's quotient of the deflection under a unit of weight along one plane. */
static double rayleigh(lmb_rotor_system *s, lmb_complex *q, lmb_complex *one, int plane)
{
    int planes = s->planes;
    memset(one, 0, (size_t)s->n * sizeof *one);
    for (int i = 0; i < s->node_count; i++) {
        int at = planes * s->unknown[i] + plane;
        one[at] = s->held[at] ? 0 : 1;
    }
    lmb_band_multiply(&s->M, one, q);
    lmb_band_solve(&s->factor, q);
    double top = 0, bottom = 0;
    lmb_band_multiply(&s->M, q, one);
    for (int i = 0; i < s->node_count; i++) {
        int at = planes * s->unknown[i] + plane;
        top += s->held[at] ? 0 : creal(one[at]);
    }
    for (int i = 0; i < s->n; i++)
        bottom += creal(conj(q[i]) * one[i]);
    return sqrt(fabs(top) / bottom);
}

lmb_status lmb_rotor_estimate(lmb_rotor_system *s, lmb_context *context, lmb_arena *arena,
                              lmb_rotor_estimates *out)
{
    const lmb_rotor *r = s->rotor;
    size_t n = (size_t)s->n;
    lmb_arena *room = lmb_arena_new();
    lmb_complex *q = lmb_arena_alloc(room, 2 * n + 1, sizeof *q);
    lmb_band mass;
    lmb_band_new(&mass, room, s->n, s->mass.width);
    *out = (lmb_rotor_estimates){.disc = lmb_arena_numbers(arena, (size_t)r->disc_count + 1)};
    lmb_status status = lmb_check_memory(context, lmb_arena_fine(arena) ? room : NULL);
    lmb_rotor_set_speed(s, 0);
    if (!status && !lmb_band_factorise(&s->factor, &s->symmetric))
        status = lmb_fail_whirl(context, -3, 0);
    if (!status) {
        lmb_band_copy(&mass, &s->M);
        lmb_band_sum(&mass, -1, &s->shaft_mass);
        double sum = add_masses(s, q, &mass, out);
        lmb_band_copy(&mass, &s->shaft_mass);
        lmb_rotor_hold_band(s, &mass, 0);
        out->shaft = lowest(s, room, &mass);
        out->dunkerley = 1 / sqrt(sum + 1 / (out->shaft * out->shaft));
        out->rayleigh = INFINITY;
        for (int plane = 0; plane < s->planes; plane++)
            out->rayleigh = fmin(out->rayleigh, rayleigh(s, q, q + n, plane));
        out->exact = lowest(s, room, &s->M);
    }
    lmb_arena_free(room);
    return status;
}
