/* Aligning the modes of a neighbour with those of its base. */
#include "model/align.h"

#include <math.h>
#include <string.h>

#include "bodies/flexible.h"
#include "reduction/align.h"

/* Beyond this sine of a principal angle the modes that are kept are other ones: between neighbours,
 * whose parameter differs by about 1e-3, they turn by the tenfold of it at the most. */
static const double too_far = 0.1;

/* --- the same structure ----------------------------------------------------------------------- */

static lmb_status differ(lmb_context *context, const lmb_body *b, const char *what, int here,
                         int there, const char *hint)
{
    lmb_fail(context, LMB_BAD_INPUT,
             "body '%s' has %d %s, but %d at a neighbouring value of the parameter", b->name, there,
             what, here);
    return lmb_hint(context, "%s", hint);
}

/* Whether two reduced bodies have the same modes, nodes and points, as far as these are counted. */
static lmb_status check_reduced(lmb_context *context, const lmb_body *body, const lmb_body_data *a,
                                const lmb_body_data *b)
{
    static const char *const elements =
        "numbers of elements and the sizes of meshes must not depend on the parameter";
    static const char *const kept =
        "with 'below', a mode comes or goes where its frequency passes the limit; keep a number of "
        "modes";
    const lmb_reduced *r = a->reduced, *s = b->reduced;
    if (r->mode_count != s->mode_count)
        return differ(context, body, "modes", r->mode_count, s->mode_count, kept);
    if (r->fixed_count != s->fixed_count)
        return differ(context, body, "fixed-interface modes", r->fixed_count, s->fixed_count, kept);
    if (r->node_count != s->node_count)
        return differ(context, body, "nodes", r->node_count, s->node_count, elements);
    if (a->line_count != b->line_count)
        return differ(context, body, "beam elements", a->line_count, b->line_count, elements);
    if (a->stress_count != b->stress_count)
        return differ(context, body, "places of stresses", a->stress_count, b->stress_count,
                      elements);
    if (r->point_count != s->point_count)
        return differ(context, body, "interface points", r->point_count, s->point_count,
                      "interfaces must not depend on the parameter");
    bool turns = !r->turn == !s->turn, stiffening = !r->spin_stiffness == !s->spin_stiffness;
    if (turns && stiffening &&
        memcmp(r->number, s->number, (size_t)r->node_count * sizeof *r->number) == 0)
        return LMB_OK;
    lmb_fail(context, LMB_BAD_INPUT,
             "body '%s' has another %s at a neighbouring value of the parameter", body->name,
             turns && stiffening ? "mesh"
             : turns             ? "'stiffening'"
                                 : "kind of elements");
    return lmb_hint(context, "what a body is made of must not depend on the parameter");
}

static lmb_status check_body(lmb_context *context, const lmb_body *a, const lmb_body *b)
{
    const lmb_elasticity *e = lmb_body_elasticity(a), *f = lmb_body_elasticity(b);
    if (strcmp(a->name, b->name) != 0 || a->ops != b->ops || !e != !f) {
        lmb_fail(context, LMB_BAD_INPUT,
                 "the bodies change with the parameter: '%s' (%s) becomes '%s' (%s)", b->name,
                 b->ops->kind, a->name, a->ops->kind);
        return lmb_hint(context, "which bodies there are must not depend on the parameter");
    }
    lmb_status status = e ? check_reduced(context, a, e->data, f->data) : LMB_OK;
    if (status)
        return status;
    if (e && e->modal->point_count != f->modal->point_count)
        return differ(context, a, "points", e->modal->point_count, f->modal->point_count,
                      "interfaces and patches must not depend on the parameter");
    if (a->nq != b->nq || a->nv != b->nv)
        return differ(context, a, "velocity coordinates", a->nv, b->nv,
                      "numbers of elements and modes must not depend on the parameter");
    return LMB_OK;
}

static lmb_status check_bodies(const lmb_model *neighbour, lmb_context *context,
                               const lmb_model *base)
{
    if (neighbour->body_count != base->body_count) {
        lmb_fail(context, LMB_BAD_INPUT,
                 "the model has %d bodies, but %d at a neighbouring value of the parameter",
                 base->body_count - 1, neighbour->body_count - 1);
        return lmb_hint(context, "the counts of 'repeat' must not depend on the parameter");
    }
    lmb_status status = LMB_OK;
    for (int i = 0; i < base->body_count && !status; i++)
        status = check_body(context, &neighbour->bodies[i], &base->bodies[i]);
    return status;
}

/* --- one body --------------------------------------------------------------------------------- */

/* Whether a frequency is one of those that are kept. */
static bool is_kept(const lmb_reduced *r, double frequency)
{
    for (int k = 0; k < r->mode_count; k++)
        if (r->frequency[k] == frequency)
            return true;
    return false;
}

/* The modes that are kept are not those of the base: says which one is likely to have gone. */
static lmb_status fail_far(lmb_context *context, const lmb_body *b, const lmb_reduced *base,
                           double sine)
{
    double least = INFINITY, kept = 0, dropped = 0;
    for (int i = 0; i < base->all_count; i++)
        for (int k = 0; k < base->mode_count; k++) {
            double f = base->all_frequency[i], gap = fabs(f - base->frequency[k]);
            if (is_kept(base, f) || gap >= least)
                continue;
            least = gap;
            kept = base->frequency[k];
            dropped = f;
        }
    lmb_fail(context, LMB_BAD_INPUT,
             "the modes of body '%s' become others at a neighbouring value of the parameter: they "
             "turn by %.2g degrees",
             b->name, asin(fmin(1, sine)) * 180 / LMB_PI);
    if (least < INFINITY)
        return lmb_hint(
            context,
            "a mode of %.6g Hz is kept and one of %.6g Hz is not, which is too close if "
            "their order changes; keep another number of modes",
            kept, dropped);
    return lmb_hint(context, "fixed-interface modes that are used and that are left out may be too "
                             "close; use another number of them");
}

/* What was done with a body: its data before, and with the basis T after. */
typedef struct change {
    const lmb_body_data *own, *data;
    const double *T;
} change;

/* The change of an earlier body that was made of the same as body i, as in the base. */
static const change *made_before(const change *changes, int i, const lmb_model *base)
{
    for (int k = 0; k < i; k++)
        if (changes[k].data && changes[k].own == changes[i].own &&
            lmb_body_data_of(&base->bodies[k]) == lmb_body_data_of(&base->bodies[i]))
            return &changes[k];
    return NULL;
}

/* How far modes move the body, which scales tolerances. */
static void put_sizes(lmb_model *m, const lmb_body *b)
{
    const lmb_elasticity *e = lmb_body_elasticity(b);
    lmb_node *node = &b->nodes[e->node];
    node->size = e->modal->size;
    double magnified = m->islands[m->island_of[b - m->bodies]].magnified;
    for (int j = 0; j < node->nv; j++)
        m->columns[node->v + j].size = magnified * node->size[j];
}

/* Fail if the modes of a body are not unique: a neighbour keeps any combination of them. */
static lmb_status check_unique(const lmb_model *base, lmb_context *context, int i)
{
    if (!lmb_body_parts_modes(lmb_body_data_of(&base->bodies[i])))
        return LMB_OK;
    lmb_fail(context, LMB_BAD_INPUT,
             "body '%s' keeps only one of several modes of the same frequency, and another one at "
             "a neighbouring value of the parameter",
             base->bodies[i].name);
    return lmb_hint(context, "keep all modes of that frequency, or none: see the warning of its "
                             "reduction");
}

/* T and the data of body i in its basis: found, or those of a body that was made of the same. */
static lmb_status find_basis(lmb_model *m, lmb_context *context, int i, const lmb_model *base,
                             change *changes)
{
    const change *before = made_before(changes, i, base);
    change *now = &changes[i];
    if (before) {
        *now = *before;
        return LMB_OK;
    }
    const lmb_reduced *r = now->own->reduced, *s = lmb_body_data_of(&base->bodies[i])->reduced;
    size_t n = (size_t)r->mode_count;
    double *T = lmb_arena_numbers(m->arena, n * n + 1), sine;
    if (!T)
        return lmb_fail_memory(context);
    lmb_status status = check_unique(base, context, i);
    if (status)
        return status;
    status = lmb_align_find(T, &sine, context, r, s);
    if (status)
        return status;
    if (!(sine <= too_far))
        return fail_far(context, &m->bodies[i], s, sine);
    now->T = T;
    now->data = lmb_body_data_in_basis(m->arena, now->own, T);
    return now->data ? LMB_OK : lmb_fail_memory(context);
}

lmb_status lmb_model_align_modes(lmb_model *m, lmb_context *context, const lmb_model *base)
{
    lmb_status status = check_bodies(m, context, base);
    if (status)
        return status;
    lmb_arena *room = lmb_arena_new();
    change *changes = lmb_arena_alloc(room, (size_t)m->body_count, sizeof *changes);
    if (!changes)
        status = lmb_fail_memory(context);
    for (int i = 0; i < m->body_count && !status; i++) {
        lmb_body *b = &m->bodies[i];
        const lmb_body_data *own = lmb_body_data_of(b), *other = lmb_body_data_of(&base->bodies[i]);
        if (!own || own == other || own->reduced->given || own->reduced->held ||
            lmb_same_shapes(own->reduced, other->reduced))
            continue;
        changes[i].own = own;
        status = find_basis(m, context, i, base, changes);
        if (!status)
            status = lmb_flexible_in_basis(b, context, m->arena, changes[i].data, changes[i].T);
        if (!status)
            put_sizes(m, b);
    }
    lmb_arena_free(room);
    return status;
}

bool lmb_model_modes_differ(const lmb_model *neighbour, int body)
{
    const lmb_elasticity *e = lmb_body_elasticity(&neighbour->bodies[body]);
    return e && e->T;
}

bool lmb_model_held_moves(const lmb_model *neighbour, const lmb_model *base, int body)
{
    const lmb_body_data *own = lmb_body_data_of(&neighbour->bodies[body]);
    const lmb_reduced *r = own ? own->reduced : NULL;
    if (!r || !r->held || r->mode_count == 0)
        return false;
    const lmb_reduced *s = lmb_body_data_of(&base->bodies[body])->reduced;
    const double rounding = 1e-12 * v3_spread(s->x, s->node_count);
    vec3 shift = v3_sub(r->x[0], s->x[0]); /* of the origin of the frame */
    bool moves = false;
    for (int i = 0; i < r->node_count && !moves; i++)
        moves = v3_norm(v3_sub(v3_sub(r->x[i], s->x[i]), shift)) > rounding;
    for (int i = 0; i < r->point_count && !moves; i++)
        moves = v3_norm(v3_sub(v3_sub(r->point[i], s->point[i]), shift)) > rounding;
    return moves;
}
