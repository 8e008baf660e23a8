/* Nodes, unknowns and matrices of a rotor.
 *
 * Scalar unknown a stands for a complex one, or for the two real ones 2a (along y) and 2a + 1
 * (along z). Slopes are s_y = dv/dx = theta_z and s_z = dw/dx = -theta_y, so that both planes have
 * the same matrices. A moment of momentum I_p W that is turned by the slopes gives
 *
 *   I_d s_y'' + W I_p s_z' = m_y,  I_d s_z'' - W I_p s_y' = m_z,  or  I_d s'' - i W I_p s' = m.
 *
 * Damping that turns with the shaft, b K (q' - i W q), makes the circulatory matrix. A torque T
 * along the shaft changes the bending moment from EI u'' to EI u'' - i T u' (u = v + i w). */
#include <math.h>
#include <stdlib.h>

#include "rotor/rotor.h"
#include "fe/beam.h"
#include "fe/properties.h"
#include "math/vec.h"

static const double same_place = 1e-9; /* of the length: nodes nearer than that are one */

/* --- nodes ------------------------------------------------------------------------------------ */

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* What sits on the shaft; the first three kinds are stations. */
typedef enum part_kind { DISC, BEARING, PROBE, UNBALANCE, COUPLING, COUPLING_END, KINDS } part_kind;

typedef struct part {
    const char *what, *name;
    double at;
    lmb_place place;
} part;

/* Part i of a kind; false: there are no more. */
static bool part_of(const lmb_rotor *r, part_kind kind, int i, part *out)
{
    const int counts[KINDS] = {r->disc_count,      r->bearing_count,  r->probe_count,
                               r->unbalance_count, r->coupling_count, r->coupling_count};
    if (i >= counts[kind])
        return false;
    if (kind == DISC) {
        const lmb_rotor_disc *d = &r->discs[i];
        *out = (part){"disc", d->name, d->at, d->place};
    } else if (kind == BEARING) {
        const lmb_rotor_bearing *b = &r->bearings[i];
        *out = (part){b->seal ? "seal" : "bearing", b->name, b->at, b->place};
    } else if (kind == PROBE || kind == UNBALANCE) {
        const lmb_rotor_spot *p = kind == PROBE ? &r->probes[i] : &r->unbalances[i];
        *out = (part){kind == PROBE ? "probe" : "unbalance", p->name, p->at, p->place};
    } else {
        const lmb_rotor_coupling *c = &r->couplings[i];
        *out = (part){"coupling", c->name, c->at[kind == COUPLING_END], c->place};
    }
    return true;
}

/* Places within a piece that need a node, into `list`; returns how many. */
static int places_in(const lmb_rotor *r, const lmb_rotor_piece *p, double tiny, double *list)
{
    int count = 0;
    double end = p->start + p->length;
    part on;
    for (int i = 0; i <= p->elements; i++)
        list[count++] = p->start + p->length * i / p->elements;
    for (part_kind kind = 0; kind < KINDS; kind++)
        for (int i = 0; part_of(r, kind, i, &on); i++)
            if (on.at > p->start - tiny && on.at < end + tiny)
                list[count++] = on.at;
    qsort(list, (size_t)count, sizeof *list, compare);
    int used = 1;
    for (int i = 1; i < count; i++)
        if (list[i] - list[used - 1] > tiny)
            list[used++] = list[i];
    list[0] = p->start;
    list[used - 1] = end;
    return used;
}

int lmb_rotor_node_at(const lmb_rotor_system *s, double x)
{
    for (int i = 0; i < s->node_count; i++)
        if (fabs(s->x[i] - x) <= same_place * s->length)
            return i;
    return -1;
}

double lmb_rotor_diameter(const lmb_rotor_piece *p, double at, double *bore)
{
    *bore = (1 - at) * p->bore + at * p->end_bore;
    return (1 - at) * p->diameter + at * p->end_diameter;
}

/* The mean of d^2 and d^4 along a cone. */
static double mean_square(double a, double b)
{
    return (a * a + a * b + b * b) / 3;
}

static double mean_fourth(double a, double b)
{
    return (a * a * a * a + a * a * b * (a + b) + b * b * b * (a + b)) / 5;
}

/* The section of an element. In a cone it is that in the middle, with the mean area, so that the
 * mass is right, and the mean second moment; the error falls with the square of the element's
 * length. */
static lmb_status section_of(const lmb_rotor_element *e, lmb_context *context, lmb_section *out)
{
    const lmb_rotor_piece *p = e->piece;
    double inner, bores[2], d = lmb_rotor_diameter(p, (e->from + e->to) / 2, &inner);
    double d0 = lmb_rotor_diameter(p, e->from, &bores[0]),
           d1 = lmb_rotor_diameter(p, e->to, &bores[1]);
    lmb_status status = inner > 0
                            ? lmb_section_tube(out, context, d, (d - inner) / 2, p->material.nu)
                            : lmb_section_circle(out, context, d, p->material.nu);
    if (p->end_diameter != p->diameter || p->end_bore != p->bore) {
        out->A = LMB_PI / 4 * (mean_square(d0, d1) - mean_square(bores[0], bores[1]));
        out->Iy = out->Iz = LMB_PI / 64 * (mean_fourth(d0, d1) - mean_fourth(bores[0], bores[1]));
    }
    return status;
}

static lmb_status make_nodes(lmb_rotor_system *s)
{
    const lmb_rotor *r = s->rotor;
    size_t most = (size_t)(r->disc_count + r->bearing_count + r->unbalance_count + r->probe_count +
                           2 * r->coupling_count + 2);
    size_t room = 0;
    double low = INFINITY, high = -INFINITY;
    for (int i = 0; i < r->piece_count; i++) {
        room += (size_t)r->pieces[i].elements + most;
        low = fmin(low, r->pieces[i].start);
        high = fmax(high, r->pieces[i].start + r->pieces[i].length);
    }
    s->length = high - low;
    s->x = lmb_arena_numbers(s->arena, room + 1);
    s->elements = lmb_arena_alloc(s->arena, room + 1, sizeof *s->elements);
    double *list = lmb_arena_numbers(s->arena, room + 1);
    lmb_status status = lmb_check_memory(s->context, s->arena);
    for (int i = 0; i < r->piece_count && !status; i++) {
        const lmb_rotor_piece *p = &r->pieces[i];
        int count = places_in(r, p, same_place * s->length, list);
        bool joined =
            s->node_count > 0 && fabs(s->x[s->node_count - 1] - p->start) <= same_place * s->length;
        for (int k = joined; k < count; k++)
            s->x[s->node_count++] = list[k];
        for (int k = 1; k < count && !status; k++) {
            lmb_rotor_element *e = &s->elements[s->element_count++];
            *e = (lmb_rotor_element){.first = s->node_count - count + k - 1,
                                     .second = s->node_count - count + k,
                                     .length = list[k] - list[k - 1],
                                     .piece = p,
                                     .from = (list[k - 1] - p->start) / p->length,
                                     .to = (list[k] - p->start) / p->length};
            status = section_of(e, s->context, &e->section);
            double factor = r->theory == LMB_ROTOR_TIMOSHENKO ? e->section.shear_y : 0;
            e->phi = lmb_beam_shear_parameter(&p->material, e->section.A, e->section.Iz, factor,
                                              e->length);
        }
    }
    return status;
}

/* Finds the nodes of all parts; there is one for each unless it is off the shaft. */
static lmb_status find_nodes(lmb_rotor_system *s)
{
    const lmb_rotor *r = s->rotor;
    lmb_arena *a = s->arena;
    s->disc_node = lmb_arena_integers(a, (size_t)r->disc_count + 1);
    s->bearing_node = lmb_arena_integers(a, (size_t)r->bearing_count + 1);
    s->bearing_support = lmb_arena_integers(a, (size_t)r->bearing_count + 1);
    s->unbalance_node = lmb_arena_integers(a, (size_t)r->unbalance_count + 1);
    s->coupling_nodes = lmb_arena_alloc(a, (size_t)r->coupling_count + 1, sizeof(int[2]));
    s->stations = lmb_arena_alloc(
        a, (size_t)(r->disc_count + r->bearing_count + r->probe_count) + 1, sizeof *s->stations);
    s->unknown = lmb_arena_integers(a, (size_t)s->node_count + 1);
    lmb_status status = lmb_check_memory(s->context, a);
    if (status)
        return status;
    int *const node_of[COUPLING] = {s->disc_node, s->bearing_node, NULL, s->unbalance_node};
    part on;
    for (part_kind kind = 0; kind < KINDS; kind++)
        for (int i = 0; part_of(r, kind, i, &on); i++) {
            int node = lmb_rotor_node_at(s, on.at);
            if (node < 0) {
                lmb_fail_at(s->context, on.place, "%s '%s' at %g m is not on the shaft", on.what,
                            on.name, on.at);
                return lmb_hint(s->context, "the shaft goes from %g m to %g m", s->x[0],
                                s->x[s->node_count - 1]);
            }
            if (kind >= COUPLING)
                s->coupling_nodes[i][kind == COUPLING_END] = node;
            else if (node_of[kind])
                node_of[kind][i] = node;
            if (kind <= PROBE)
                s->stations[s->station_count++] = (lmb_rotor_station){on.name, node};
        }
    return LMB_OK;
}

/* Numbers the unknowns: two per node, and those of supports after the node of their bearing. */
static void number(lmb_rotor_system *s)
{
    const lmb_rotor *r = s->rotor;
    for (int i = 0; i < s->node_count; i++) {
        s->unknown[i] = s->scalars;
        s->scalars += 2;
        for (int b = 0; b < r->bearing_count; b++)
            if (s->bearing_node[b] == i)
                s->bearing_support[b] = r->bearings[b].supported ? s->scalars++ : -1;
    }
}

/* Adds the masses up, and counts the seals. */
static void weigh(lmb_rotor_system *s)
{
    const lmb_rotor *r = s->rotor;
    for (const lmb_rotor_element *e = s->elements; e < s->elements + s->element_count; e++)
        s->shaft_kg += e->piece->material.density * e->section.A * e->length;
    s->kg = s->shaft_kg;
    for (int i = 0; i < r->disc_count; i++)
        s->kg += r->discs[i].mass;
    for (int i = 0; i < r->coupling_count; i++)
        s->kg += r->couplings[i].mass;
    for (int i = 0; i < r->bearing_count; i++)
        s->seal_count += r->bearings[i].seal;
}

/* --- matrices --------------------------------------------------------------------------------- */

/* Adds two by two numbers (yy, yz, zy, zz) at two scalars. */
static void add_planes(const lmb_rotor_system *s, lmb_band *m, int a, int b, double factor,
                       const double k[4])
{
    if (s->isotropic) {
        *lmb_band_at(m, a, b) += factor * CMPLX((k[0] + k[3]) / 2, (k[2] - k[1]) / 2);
        return;
    }
    for (int i = 0; i < 4; i++)
        *lmb_band_at(m, 2 * a + i / 2, 2 * b + i % 2) += factor * k[i];
}

/* A number that is the same in both planes. */
static void add_same(const lmb_rotor_system *s, lmb_band *m, int a, int b, double value)
{
    add_planes(s, m, a, b, value, (const double[4]){1, 0, 0, 1});
}

/* -i value: +value from z to y and -value from y to z. */
static void add_turned(const lmb_rotor_system *s, lmb_band *m, int a, int b, double value)
{
    add_planes(s, m, a, b, value, (const double[4]){0, 1, -1, 0});
}

/* A matrix of two ends, 4 x 4 by columns, times a factor: the same in both planes, or turned. */
static void add_matrix(const lmb_rotor_system *s, lmb_band *m, const int *at, const double *k,
                       double factor, bool turned)
{
    for (int i = 0; i < 16 && factor != 0; i++)
        (turned ? add_turned : add_same)(s, m, at[i % 4], at[i / 4], factor * k[i]);
}

static void add_element(lmb_rotor_system *s, const lmb_rotor_element *e)
{
    const lmb_rotor *r = s->rotor;
    const lmb_material *of = &e->piece->material;
    const lmb_section *section = &e->section;
    double K[16], M[16], P[16], L = e->length, a = 1 / L;
    double rotary = r->theory == LMB_ROTOR_EULER ? 0 : of->density * section->Iz;
    lmb_beam_bending_stiffness(of->E * section->Iz, L, e->phi, K);
    lmb_beam_bending_mass(of->density * section->A, rotary, L, e->phi, M);
    lmb_beam_bending_mass(0, 2 * rotary, L, e->phi, P);
    /* of a torque, int N_i'' N_j' dx, and of an axial force, int N_i' N_j' dx, with N the shape
     * functions of deflection */
    const double T[16] = {0, a, 0, -a, -a, -0.5, a, -0.5, 0, -a, 0, a, a, 0.5, -a, 0.5};
    const double N[16] = {1.2 * a,  0.1,  -1.2 * a, 0.1,  0.1, 2 * L / 15, -0.1, -L / 30,
                          -1.2 * a, -0.1, 1.2 * a,  -0.1, 0.1, -L / 30,    -0.1, 2 * L / 15};
    int u = s->unknown[e->first], w = s->unknown[e->second];
    const int at[4] = {u, u + 1, w, w + 1};
    add_matrix(s, &s->stiffness, at, K, 1, false);
    add_matrix(s, &s->mass, at, M, 1, false);
    add_matrix(s, &s->shaft_mass, at, M, 1, false);
    add_matrix(s, &s->gyroscopic, at, P, 1, true);
    add_matrix(s, &s->damping, at, K, r->damping_stiffness + r->internal_damping, false);
    add_matrix(s, &s->circulatory, at, K, r->internal_damping, true);
    add_matrix(s, &s->stiffness, at, T, r->torque, true);
    add_matrix(s, &s->stiffness, at, N, r->axial_force, false);
}

static void add_inertia(lmb_rotor_system *s, int node, double mass, double diametral, double polar)
{
    int u = s->unknown[node];
    add_same(s, &s->mass, u, u, mass);
    add_same(s, &s->mass, u + 1, u + 1, diametral);
    add_turned(s, &s->gyroscopic, u + 1, u + 1, polar);
}

static void add_coupling(lmb_rotor_system *s, int number)
{
    const lmb_rotor_coupling *c = &s->rotor->couplings[number];
    const int *nodes = s->coupling_nodes[number];
    double half = (s->x[nodes[1]] - s->x[nodes[0]]) / 2;
    int a = s->unknown[nodes[0]], b = s->unknown[nodes[1]];
    const int at[4] = {a, a + 1, b, b + 1};
    /* how far the halves are apart in the middle, and how much they are turned */
    const double apart[4] = {-1, -half, 1, -half}, turned[4] = {0, -1, 0, 1};
    double shift[16], tilt[16];
    for (int i = 0; i < 16; i++) {
        shift[i] = apart[i % 4] * apart[i / 4];
        tilt[i] = turned[i % 4] * turned[i / 4];
    }
    add_matrix(s, &s->stiffness, at, shift, c->stiffness, false);
    add_matrix(s, &s->stiffness, at, tilt, c->turning_stiffness, false);
    add_matrix(s, &s->damping, at, shift, c->damping, false);
    add_matrix(s, &s->damping, at, tilt, c->turning_damping, false);
    for (int k = 0; k < 2; k++)
        add_inertia(s, nodes[k], c->mass / 2, c->diametral / 2, c->polar / 2);
}

static void add_parts(lmb_rotor_system *s)
{
    const lmb_rotor *r = s->rotor;
    for (int i = 0; i < s->element_count; i++)
        add_element(s, &s->elements[i]);
    for (int i = 0; i < r->disc_count; i++) {
        const lmb_rotor_disc *d = &r->discs[i];
        int u = s->unknown[s->disc_node[i]];
        add_inertia(s, s->disc_node[i], d->mass, d->diametral, d->polar);
        add_same(s, &s->damping, u, u, d->damping);
    }
    for (int i = 0; i < r->coupling_count; i++)
        add_coupling(s, i);
    lmb_band_sum(&s->damping, r->damping_mass, &s->mass);
    for (int i = 0; i < r->bearing_count; i++) {
        const lmb_rotor_bearing *b = &r->bearings[i];
        int u = s->unknown[s->bearing_node[i]];
        add_same(s, &s->stiffness, u + 1, u + 1, b->turning_stiffness);
        add_same(s, &s->damping, u + 1, u + 1, b->turning_damping);
        if (b->supported)
            add_same(s, &s->mass, s->bearing_support[i], s->bearing_support[i], b->support_mass);
        for (int at = s->planes * u; at < s->planes * (u + 1); at++) {
            s->held[at] |= b->hold != LMB_ROTOR_SPRING;
            s->held[at + s->planes] |= b->hold == LMB_ROTOR_CLAMPED;
        }
    }
}

/* --- bearings --------------------------------------------------------------------------------- */

void lmb_rotor_evaluate(const lmb_rotor_law *law, double speed, double k[4])
{
    double value[4] = {0};
    lmb_jet variables[2] = {{.f = speed}, {.f = speed}}, jet;
    for (int i = 0; i < law->size; i++) {
        lmb_expr_evaluate(law->of[i], 0, variables, &jet);
        value[i] = jet.f;
    }
    k[0] = value[0];
    k[1] = law->size == 4 ? value[1] : 0;
    k[2] = law->size == 4 ? value[2] : 0;
    k[3] = law->size == 4 ? value[3] : law->size == 2 ? value[1] : value[0];
}

/* Whether all bearings are alike in both planes, at some speeds of the diagrams. */
static bool is_isotropic(const lmb_rotor *r)
{
    enum { TRIALS = 16, LAWS = 5 };
    for (int i = 0; i < r->bearing_count; i++) {
        const lmb_rotor_bearing *b = &r->bearings[i];
        const lmb_rotor_law *const laws[LAWS] = {&b->stiffness, &b->damping, &b->mass,
                                                 &b->support_stiffness, &b->support_damping};
        for (int n = 0; n < LAWS * (TRIALS + 1); n++) {
            double k[4];
            lmb_rotor_evaluate(laws[n % LAWS], r->from + (r->to - r->from) * (n / LAWS) / TRIALS,
                               k);
            double tiny = 1e-13 * (fabs(k[0]) + fabs(k[1]));
            if (fabs(k[0] - k[3]) > tiny || fabs(k[1] + k[2]) > tiny)
                return false;
        }
    }
    return true;
}

/* Adds a law between two scalars, or (other below 0) between one and the ground. */
static void add_law(const lmb_rotor_system *s, lmb_band *m, const lmb_rotor_law *law, int at,
                    int other, bool symmetric)
{
    double k[4];
    if (law->size == 0)
        return;
    lmb_rotor_evaluate(law, s->speed, k);
    if (symmetric)
        k[1] = k[2] = (k[1] + k[2]) / 2;
    add_planes(s, m, at, at, 1, k);
    if (other < 0)
        return;
    add_planes(s, m, other, other, 1, k);
    add_planes(s, m, at, other, -1, k);
    add_planes(s, m, other, at, -1, k);
}

void lmb_rotor_hold_band(const lmb_rotor_system *s, lmb_band *m, double one)
{
    for (int i = 0; i < s->n; i++) {
        if (!s->held[i])
            continue;
        for (int j = i - m->width < 0 ? 0 : i - m->width; j <= i + m->width && j < s->n; j++)
            *lmb_band_at(m, i, j) = *lmb_band_at(m, j, i) = 0;
        *lmb_band_at(m, i, i) = one;
    }
}

void lmb_rotor_set_speed(lmb_rotor_system *s, double speed)
{
    const lmb_rotor *r = s->rotor;
    s->speed = speed;
    lmb_band_copy(&s->raw_M, &s->mass);
    lmb_band_copy(&s->raw_C, &s->damping);
    lmb_band_sum(&s->raw_C, speed, &s->gyroscopic);
    lmb_band_copy(&s->raw_K, &s->stiffness);
    lmb_band_copy(&s->symmetric, &s->stiffness);
    lmb_band_sum(&s->raw_K, speed, &s->circulatory);
    for (int i = 0; i < r->bearing_count; i++) {
        const lmb_rotor_bearing *b = &r->bearings[i];
        int u = s->unknown[s->bearing_node[i]], support = s->bearing_support[i];
        add_law(s, &s->raw_K, &b->stiffness, u, support, false);
        add_law(s, &s->symmetric, &b->stiffness, u, support, true);
        add_law(s, &s->raw_C, &b->damping, u, support, false);
        add_law(s, &s->raw_M, &b->mass, u, support, false);
        if (support < 0)
            continue;
        add_law(s, &s->raw_K, &b->support_stiffness, support, -1, false);
        add_law(s, &s->symmetric, &b->support_stiffness, support, -1, true);
        add_law(s, &s->raw_C, &b->support_damping, support, -1, false);
    }
    if (r->torque != 0)
        lmb_band_symmetrise(&s->symmetric); /* at free ends a torque is not conservative */
    lmb_band_copy(&s->M, &s->raw_M);
    lmb_band_copy(&s->C, &s->raw_C);
    lmb_band_copy(&s->K, &s->raw_K);
    double one = s->scale * s->scale;
    lmb_rotor_hold_band(s, &s->M, 0);
    lmb_rotor_hold_band(s, &s->C, 0);
    lmb_rotor_hold_band(s, &s->K, one);
    lmb_rotor_hold_band(s, &s->symmetric, one);
}

void lmb_rotor_planes(const lmb_rotor_system *s, const lmb_complex *q, bool negative,
                      lmb_complex *y, lmb_complex *z)
{
    for (int a = 0; a < s->scalars; a++) {
        y[a] = !s->isotropic ? q[2 * a] : negative ? conj(q[a]) : q[a];
        z[a] = !s->isotropic ? q[2 * a + 1] : y[a] * CMPLX(0, negative ? 1 : -1);
    }
}

void lmb_rotor_still(const lmb_rotor_system *s, const lmb_complex *q, lmb_complex *u)
{
    for (int a = 0; a < s->scalars; a++)
        u[a] = s->isotropic ? q[a] : CMPLX(creal(q[2 * a]), creal(q[2 * a + 1]));
}

lmb_complex lmb_rotor_deflection(const lmb_rotor_system *s, int element, double x,
                                 const lmb_complex *u, lmb_complex *tilt)
{
    const lmb_rotor_element *e = &s->elements[element];
    const lmb_complex *a = u + s->unknown[e->first], *b = u + s->unknown[e->second];
    double v[4], turn[4], slope[4];
    lmb_beam_bending_shapes(x, e->length, e->phi, v, turn, slope);
    if (tilt)
        *tilt = turn[0] * a[0] + turn[1] * a[1] + turn[2] * b[0] + turn[3] * b[1];
    return v[0] * a[0] + v[1] * a[1] + v[2] * b[0] + v[3] * b[1];
}

/* --- the whole -------------------------------------------------------------------------------- */

static void widen(int *width, int by)
{
    *width = by > *width ? by : *width;
}

/* How far apart coupled unknowns are. */
static int width_of(const lmb_rotor_system *s)
{
    const int *u = s->unknown;
    int width = 1;
    for (int i = 0; i < s->element_count; i++)
        widen(&width, u[s->elements[i].second] + 1 - u[s->elements[i].first]);
    for (int i = 0; i < s->rotor->coupling_count; i++)
        widen(&width, abs(u[s->coupling_nodes[i][1]] - u[s->coupling_nodes[i][0]]) + 1);
    for (int i = 0; i < s->rotor->bearing_count; i++)
        widen(&width, s->bearing_support[i] - u[s->bearing_node[i]]);
    return s->isotropic ? width : 2 * width + 1;
}

static lmb_status make_matrices(lmb_rotor_system *s)
{
    s->isotropic = is_isotropic(s->rotor);
    s->planes = s->isotropic ? 1 : 2;
    s->n = s->planes * s->scalars;
    int width = width_of(s);
    lmb_band *const all[] = {&s->mass,        &s->gyroscopic, &s->damping, &s->stiffness,
                             &s->circulatory, &s->shaft_mass, &s->M,       &s->C,
                             &s->K,           &s->raw_C,      &s->raw_K,   &s->raw_M,
                             &s->symmetric,   &s->work};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        lmb_band_new(all[i], s->arena, s->n, width);
    lmb_band_factor_new(&s->factor, s->arena, s->n, width);
    s->held = lmb_arena_alloc(s->arena, (size_t)s->n + 1, sizeof *s->held);
    for (int i = 0; i < LMB_ROTOR_VECTORS; i++)
        s->vector[i] = lmb_arena_alloc(s->arena, (size_t)s->n + 1, sizeof(lmb_complex));
    s->force = lmb_arena_alloc(s->arena, (size_t)s->rotor->bearing_count + 1, sizeof *s->force);
    lmb_status status = lmb_check_memory(s->context, s->arena);
    if (!status)
        add_parts(s);
    return status;
}

/* About the lowest frequency: of a shaft like the first piece with all masses. */
static double typical(const lmb_rotor_system *s)
{
    const lmb_rotor *r = s->rotor;
    const lmb_rotor_piece *p = &r->pieces[0];
    double d = p->diameter, L = s->length, mass = 0;
    for (int i = 0; i < r->piece_count; i++)
        mass += r->pieces[i].material.density * pow(r->pieces[i].diameter, 2) * r->pieces[i].length;
    for (int i = 0; i < r->disc_count; i++)
        mass += r->discs[i].mass;
    return mass > 0 ? sqrt(2.4 * p->material.E * d * d * d * d / (L * L * L * mass)) : 100;
}

/* The lowest frequency as a scale, and the damping ratio of its mode as damping by the mass. */
static lmb_status set_scale(lmb_rotor_system *s)
{
    lmb_rotor_estimates e;
    s->scale = typical(s);
    if (s->rotor->bearing_count == 0)
        return LMB_OK;
    lmb_arena *arena = lmb_arena_new();
    lmb_status status = lmb_rotor_estimate(s, arena, &e);
    if (!status && isfinite(e.exact) && e.exact > 0) {
        s->scale = e.exact;
        lmb_band_sum(&s->damping, 2 * s->rotor->damping_ratio * e.exact, &s->mass);
    }
    lmb_arena_free(arena);
    return status;
}

lmb_status lmb_rotor_system_new(lmb_rotor_system **out, lmb_context *context, const lmb_rotor *r)
{
    lmb_arena *arena;
    lmb_rotor_system *s = *out = lmb_arena_object(&arena, sizeof *s);
    if (!s)
        return lmb_fail_memory(context);
    s->arena = arena;
    s->context = context;
    s->rotor = r;
    lmb_status status = make_nodes(s);
    if (!status && !(status = find_nodes(s))) {
        number(s);
        weigh(s);
        if (!(status = lmb_rotor_check(s)) && !(status = make_matrices(s)) &&
            !(status = set_scale(s)))
            lmb_rotor_set_speed(s, 0);
    }
    if (status) {
        lmb_rotor_system_free(s);
        *out = NULL;
    }
    return status;
}

void lmb_rotor_system_free(lmb_rotor_system *s)
{
    if (s)
        lmb_arena_free(s->arena);
}
