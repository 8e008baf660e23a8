/* Forced motion of a rotor: unbalance, weight; and quick estimates of its lowest frequency.
 *
 * Unbalance U (kg m) at the angle p:  (K + i W C - W^2 M) q = U W^2 exp(i p). Weight: K q = M g.
 * Dunkerley: 1 / w^2 = 1 / w_shaft^2 + sum of 1 / w_disc^2. Rayleigh: w^2 = (1^T M q) / (q^T M q)
 * with the deflection q under a unit of weight. */
#include <math.h>
#include <string.h>

#include "rotor/rotor.h"
#include "math/eigen.h"

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

lmb_status lmb_rotor_unbalance_vector(lmb_rotor_system *s, double speed, lmb_complex *q)
{
    lmb_rotor_set_speed(s, speed);
    if (!lmb_rotor_factorise(s, CMPLX(0, speed))) {
        lmb_fail(s->context, LMB_SOLVER, "the response at %g rad/s is without bounds", speed);
        return lmb_hint(s->context, "give it some damping, or bearings that hold it");
    }
    lmb_rotor_turning_load(s, speed * speed, 0, q);
    hold(s, q);
    lmb_band_solve(&s->factor, q);
    return LMB_OK;
}

lmb_status lmb_rotor_unbalance(lmb_rotor_system *s, double speed, lmb_complex *y, lmb_complex *z)
{
    lmb_status status = lmb_rotor_unbalance_vector(s, speed, s->vector[0]);
    if (!status)
        lmb_rotor_planes(s, s->vector[0], false, y, z);
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

/* --- forces of bearings, and weight ----------------------------------------------------------- */

/* The force of the springs and dampers of a bearing on what it stands on, for a motion exp(s t);
 * with complex unknowns the first number alone. */
static void set_spring_force(const lmb_rotor_system *s, int bearing, const lmb_complex *q,
                             lmb_complex frequency, lmb_complex force[2])
{
    const lmb_rotor_bearing *b = &s->rotor->bearings[bearing];
    const lmb_rotor_law *laws[] = {&b->stiffness, &b->damping, &b->mass};
    int u = s->unknown[s->bearing_node[bearing]], support = s->bearing_support[bearing];
    lmb_complex factor = 1, moved[2] = {0};
    for (int k = 0; k < s->planes; k++)
        moved[k] = q[s->planes * u + k] - (support < 0 ? 0 : q[s->planes * support + k]);
    force[0] = force[1] = 0;
    for (int i = 0; i < 3; i++, factor *= frequency) {
        double k[4];
        lmb_rotor_evaluate(laws[i], s->speed, k);
        if (s->isotropic) {
            force[0] += factor * CMPLX((k[0] + k[3]) / 2, (k[2] - k[1]) / 2) * moved[0];
            continue;
        }
        force[0] += factor * (k[0] * moved[0] + k[1] * moved[1]);
        force[1] += factor * (k[2] * moved[0] + k[3] * moved[1]);
    }
}

void lmb_rotor_bearing_forces(lmb_rotor_system *s, const lmb_complex *q, lmb_complex frequency,
                              const lmb_complex *load, lmb_complex (*forces)[2])
{
    const lmb_rotor *r = s->rotor;
    lmb_complex *sum = s->vector[4], *product = s->vector[5], factor = 1;
    /* what holds the held unknowns: K q + s C q + s^2 M q - f */
    const lmb_band *const of[] = {&s->raw_K, &s->raw_C, &s->raw_M};
    for (int k = 0; k < 3; k++, factor *= frequency) {
        lmb_band_multiply(of[k], q, product);
        for (int i = 0; i < s->n; i++)
            sum[i] = (k ? sum[i] : 0) + factor * product[i];
    }
    /* springs: of the whole without them */
    for (int b = 0; b < r->bearing_count; b++) {
        int at = s->planes * s->unknown[s->bearing_node[b]];
        for (int k = 0; k < 2; k++)
            forces[b][k] = k < s->planes && s->held[at + k] ? load[at + k] - sum[at + k] : 0;
        if (r->bearings[b].hold == LMB_ROTOR_SPRING)
            set_spring_force(s, b, q, frequency, forces[b]);
    }
}

lmb_status lmb_rotor_sag(lmb_rotor_system *s, double speed, lmb_complex *u, double (*forces)[2])
{
    lmb_complex *q = s->vector[0], *f = s->vector[1];
    const double *gravity = s->rotor->gravity;
    lmb_rotor_set_speed(s, speed);
    /* supports have weight too, slopes have none */
    for (int i = 0; i < s->n; i++)
        q[i] = s->isotropic ? CMPLX(gravity[0], gravity[1]) : gravity[i % 2];
    for (int i = 0; i < s->node_count; i++)
        for (int k = 0; k < s->planes; k++)
            q[s->planes * (s->unknown[i] + 1) + k] = 0;
    lmb_band_multiply(&s->mass, q, f);
    memcpy(q, f, (size_t)s->n * sizeof *q);
    hold(s, q);
    if (!lmb_band_factorise(&s->factor, &s->K))
        return lmb_fail(s->context, LMB_SOLVER, "the stiffness is singular at %g rad/s", speed);
    lmb_band_solve(&s->factor, q);
    lmb_rotor_still(s, q, u);
    lmb_rotor_bearing_forces(s, q, 0, f, s->force);
    for (int b = 0; b < s->rotor->bearing_count; b++) {
        forces[b][0] = creal(s->force[b][0]);
        forces[b][1] = s->isotropic ? cimag(s->force[b][0]) : creal(s->force[b][1]);
    }
    return LMB_OK;
}

/* --- estimates -------------------------------------------------------------------------------- */

/* y = A^-1 B x, with the factors that a system has of A. */
typedef struct product {
    const lmb_rotor_system *s;
    const lmb_band *B;
} product;

static void apply(void *user, const lmb_complex *x, lmb_complex *y)
{
    const product *p = user;
    lmb_band_multiply(p->B, x, y);
    lmb_band_solve(&p->s->factor, y);
}

int lmb_rotor_largest(const lmb_rotor_system *s, lmb_arena *arena, const lmb_band *right, int count,
                      lmb_complex *values, lmb_complex *vectors)
{
    product p = {s, right};
    return lmb_arnoldi(arena, s->n, apply, &p, count, false, values, vectors);
}

/* The lowest frequency with the mass matrix given and the factorised stiffness. */
static double lowest(lmb_rotor_system *s, lmb_arena *room, const lmb_band *mass)
{
    lmb_complex value = 0;
    int found = lmb_rotor_largest(s, room, mass, 1, &value, s->vector[2]);
    return found == 1 && creal(value) > 0 ? 1 / sqrt(creal(value)) : INFINITY;
}

/* The flexibility at an unknown: its motion under a unit force on it, which is left as q. */
static double flexibility(lmb_rotor_system *s, int at)
{
    lmb_complex *q = s->vector[0];
    memset(q, 0, (size_t)s->n * sizeof *q);
    if (s->held[at])
        return 0;
    q[at] = 1;
    lmb_band_solve(&s->factor, q);
    return creal(q[at]);
}

/* 1 / w^2 of a disc alone on a shaft without mass, in one plane: the larger eigenvalue of its mass
 * and its moment of inertia times the flexibilities there. */
static double disc_alone(lmb_rotor_system *s, int number, int plane)
{
    const lmb_rotor_disc *d = &s->rotor->discs[number];
    int planes = s->planes;
    int at = planes * s->unknown[s->disc_node[number]] + plane, tilt = at + planes;
    double moved = flexibility(s, at), tilted = creal(s->vector[0][tilt]);
    double turned = flexibility(s, tilt);
    double half = (d->mass * moved + d->diametral * turned) / 2;
    double both = d->mass * d->diametral * (moved * turned - tilted * tilted);
    return half + sqrt(fmax(half * half - both, 0));
}

/* Masses of Dunkerley's formula, each with the flexibility of the plane that is softer there. The
 * rest, of supports, seals and couplings, is what the mass matrix has beside shaft and discs. */
static double add_masses(lmb_rotor_system *s, lmb_band *rest, lmb_rotor_estimates *out)
{
    const lmb_rotor *r = s->rotor;
    int planes = s->planes;
    double sum = 0, others[2] = {0, 0};
    for (int i = 0; i < r->disc_count; i++) {
        double part = 0;
        for (int plane = 0; plane < planes; plane++) {
            int at = planes * s->unknown[s->disc_node[i]] + plane;
            part = fmax(part, disc_alone(s, i, plane));
            *lmb_band_at(rest, at, at) -= r->discs[i].mass;
            *lmb_band_at(rest, at + planes, at + planes) -= r->discs[i].diametral;
        }
        out->disc[i] = 1 / sqrt(part);
        sum += part;
    }
    for (int at = 0; at < s->n; at++) {
        double own = creal(*lmb_band_at(rest, at, at)), all = creal(*lmb_band_at(&s->M, at, at));
        if (own > 1e-9 * all)
            others[at % planes] += own * flexibility(s, at);
    }
    double most = fmax(others[0], others[1]);
    out->others = most > 0 ? 1 / sqrt(most) : 0;
    return sum + most;
}

/* Rayleigh's quotient of the deflection under a unit of weight along one plane. */
static double rayleigh(lmb_rotor_system *s, int plane)
{
    lmb_complex *q = s->vector[0], *one = s->vector[1];
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

lmb_status lmb_rotor_estimate(lmb_rotor_system *s, lmb_arena *arena, lmb_rotor_estimates *out)
{
    *out = (lmb_rotor_estimates){.disc = lmb_arena_numbers(arena, (size_t)s->rotor->disc_count + 1),
                                 .rayleigh = INFINITY};
    lmb_status status = lmb_check_memory(s->context, arena);
    if (status)
        return status;
    lmb_rotor_set_speed(s, 0);
    if (!lmb_band_factorise(&s->factor, &s->symmetric))
        return lmb_fail_whirl(s, -3, 0);
    lmb_band_copy(&s->work, &s->M);
    lmb_band_sum(&s->work, -1, &s->shaft_mass);
    double sum = add_masses(s, &s->work, out);
    lmb_band_copy(&s->work, &s->shaft_mass);
    lmb_rotor_hold_band(s, &s->work, 0);
    out->shaft = lowest(s, arena, &s->work);
    out->dunkerley = 1 / sqrt(sum + 1 / (out->shaft * out->shaft));
    for (int plane = 0; plane < s->planes; plane++)
        out->rayleigh = fmin(out->rayleigh, rayleigh(s, plane));
    out->exact = lowest(s, arena, &s->M);
    return LMB_OK;
}
