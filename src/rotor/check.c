/* Whether a rotor can be computed: bearings whose coefficients are numbers at all speeds, and that
 * hold every shaft.
 *
 * A shaft that does not bend has a deflection and a tilt in each plane. Springs between these and
 * the ground, supports and other shafts make a small stiffness; a motion that it does not resist is
 * free. How stiff a spring is does not matter for that: each main direction that resists counts as
 * one. */
#include <math.h>

#define lapack_complex_float float _Complex
#define lapack_complex_double double _Complex

#include "rotor/rotor.h"
#include "math/late.h"
#include "math/vec.h"

/* --- coefficients ----------------------------------------------------------------------------- */

static lmb_status check_laws(const lmb_rotor_system *s)
{
    enum { LAWS = 5, SPEEDS = 4 };
    const lmb_rotor *r = s->rotor;
    const double speeds[SPEEDS] = {0, r->from, r->to, r->speed};
    for (const lmb_rotor_bearing *b = r->bearings; b < r->bearings + r->bearing_count; b++) {
        const struct {
            const char *name;
            const lmb_rotor_law *law;
        } laws[LAWS] = {{"stiffness", &b->stiffness},
                        {"damping", &b->damping},
                        {"mass", &b->mass},
                        {"support's stiffness", &b->support_stiffness},
                        {"support's damping", &b->support_damping}};
        for (int n = 0; n < LAWS * SPEEDS; n++) {
            double k[4], speed = speeds[n % SPEEDS];
            lmb_rotor_evaluate(laws[n / SPEEDS].law, speed, k);
            if (isfinite(k[0]) && isfinite(k[1]) && isfinite(k[2]) && isfinite(k[3]))
                continue;
            lmb_fail_at(s->context, b->place, "the %s of %s '%s' is not a number at %g rad/s",
                        laws[n / SPEEDS].name, b->seal ? "seal" : "bearing", b->name, speed);
            return lmb_hint(s->context, "expressions of speed need a value at rest, too, such as "
                                        "1e9/max(speed, 1)");
        }
    }
    return LMB_OK;
}

/* --- rigid shafts ----------------------------------------------------------------------------- */

/* Each shaft has the unknowns 4 s + plane (deflection at its start) and 4 s + 2 + plane (tilt,
 * times the length of the whole); supports follow, two each. */
typedef struct rigid {
    const lmb_rotor_system *s;
    int shafts, n;
    int *shaft; /* of each node */
    int *first; /* of each shaft and one more: its first node */
    double *K;  /* n x n */
} rigid;

/* How an end of a spring moves: two unknowns of plane y, and their factors. */
static void motion_of(const rigid *g, int node, double sign, int *at, double *by)
{
    int shaft = g->shaft[node];
    at[0] = 4 * shaft;
    at[1] = 4 * shaft + 2;
    by[0] = sign;
    by[1] = sign * (g->s->x[node] - g->s->x[g->first[shaft]]) / g->s->length;
}

/* Adds a spring k (yy, yz, zy, zz; symmetric) that is stretched by the motions of `count` unknowns
 * of plane y, each next to that of plane z. */
static void add_spring(rigid *g, int count, const int *at, const double *by, const double k[4])
{
    double mean = (k[0] + k[3]) / 2, apart = hypot((k[0] - k[3]) / 2, k[1]);
    double least = 1e-12 * (fabs(mean) + apart);
    bool both = fabs(mean + apart) > least && fabs(mean - apart) > least;
    for (int i = 0; i < count * count && (both || least > 0); i++)
        for (int p = 0; p < 4; p++) {
            double main = both ? p == 0 || p == 3 : k[p] / (2 * mean); /* of the main directions */
            g->K[(at[i / count] + p / 2) * g->n + at[i % count] + p % 2] +=
                main * by[i / count] * by[i % count];
        }
}

static const double all[4] = {1, 0, 0, 1}; /* a spring in all directions */

static void add_bearing(rigid *g, int number, int support)
{
    const lmb_rotor_bearing *b = &g->s->rotor->bearings[number];
    double k[4], by[3], tilt = 1;
    int at[3], count = 2;
    motion_of(g, g->s->bearing_node[number], 1, at, by);
    lmb_rotor_evaluate(&b->stiffness, 0, k);
    /* as undamped motion takes it: without the part that is not symmetric */
    k[1] = k[2] = (k[1] + k[2]) / 2;
    if (b->supported) {
        double ground[4], one = 1;
        lmb_rotor_evaluate(&b->support_stiffness, 0, ground);
        ground[1] = ground[2] = (ground[1] + ground[2]) / 2;
        at[count] = support;
        by[count++] = -1;
        add_spring(g, 1, &support, &one, ground);
    }
    add_spring(g, count, at, by, b->hold == LMB_ROTOR_SPRING ? k : all);
    if (b->hold == LMB_ROTOR_CLAMPED || b->turning_stiffness > 0)
        add_spring(g, 1, &at[1], &tilt, all);
}

static void add_coupling(rigid *g, int number)
{
    const lmb_rotor_coupling *c = &g->s->rotor->couplings[number];
    const int *nodes = g->s->coupling_nodes[number];
    double half = (g->s->x[nodes[1]] - g->s->x[nodes[0]]) / 2 / g->s->length, by[4];
    int at[4];
    motion_of(g, nodes[0], -1, at, by);
    motion_of(g, nodes[1], 1, at + 2, by + 2);
    const int turns[2] = {at[1], at[3]};
    const double turned[2] = {-1, 1};
    by[1] -= half;
    by[3] -= half;
    if (c->stiffness > 0)
        add_spring(g, 4, at, by, all);
    if (c->turning_stiffness > 0)
        add_spring(g, 2, turns, turned, all);
}

/* Numbers the shafts: elements join nodes. */
static void number_shafts(rigid *g)
{
    const lmb_rotor_system *s = g->s;
    for (int i = 0; i < s->element_count; i++)
        g->shaft[s->elements[i].second] = 1;
    for (int i = 0; i < s->node_count; i++) {
        if (!g->shaft[i])
            g->first[g->shafts++] = i;
        g->shaft[i] = g->shafts - 1;
    }
    g->first[g->shafts] = s->node_count;
}

/* Says which shaft is loose, at the first of its bearings. */
static lmb_status fail_loose(const rigid *g, int shaft)
{
    const lmb_rotor_system *s = g->s;
    int bearing = 0;
    for (int i = s->rotor->bearing_count - 1; i >= 0; i--)
        if (g->shaft[s->bearing_node[i]] == shaft)
            bearing = i;
    lmb_fail_at(s->context, s->rotor->bearings[bearing].place,
                "the bearings do not hold the shaft from %g m to %g m at rest: it can move or turn "
                "freely",
                s->x[g->first[shaft]], s->x[g->first[shaft + 1] - 1]);
    return lmb_hint(s->context,
                    "add a stiffness, a second bearing or 'turning_stiffness'; a shaft that is to "
                    "be free has no bearings at all");
}

lmb_status lmb_rotor_check(const lmb_rotor_system *s)
{
    const lmb_rotor *r = s->rotor;
    lmb_status status = check_laws(s);
    if (status || r->bearing_count == 0)
        return status;
    rigid g = {.s = s,
               .shaft = lmb_arena_integers(s->arena, (size_t)s->node_count + 1),
               .first = lmb_arena_integers(s->arena, (size_t)s->node_count + 1)};
    if (lmb_arena_fine(s->arena))
        number_shafts(&g);
    g.n = 4 * g.shafts + 2 * r->bearing_count;
    g.K = lmb_arena_numbers(s->arena, (size_t)g.n * (size_t)g.n + 1);
    int *order = lmb_arena_integers(s->arena, (size_t)g.n + 1);
    if ((status = lmb_check_memory(s->context, s->arena)))
        return status;
    for (int i = 0; i < r->bearing_count; i++) {
        int support = 4 * g.shafts + 2 * i;
        add_bearing(&g, i, support);
        if (!r->bearings[i].supported)
            g.K[support * (g.n + 1)] = g.K[(support + 1) * (g.n + 1)] = 1;
    }
    for (int i = 0; i < r->coupling_count; i++)
        add_coupling(&g, i);
    /* the first unknown that is not held, by elimination with the largest pivots */
    const double rounding = 1e-12;
    int rank = 0, loose = g.n;
    LAPACKE_dpstrf(LAPACK_COL_MAJOR, 'U', g.n, g.K, g.n, order, &rank, rounding);
    for (int i = rank; i < g.n; i++)
        loose = order[i] - 1 < loose ? order[i] - 1 : loose;
    if (loose == g.n)
        return LMB_OK;
    /* a support that is loose is so with the shaft of its bearing */
    return fail_loose(&g, loose < 4 * g.shafts
                              ? loose / 4
                              : g.shaft[s->bearing_node[(loose - 4 * g.shafts) / 2]]);
}
