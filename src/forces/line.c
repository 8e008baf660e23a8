/* Forces and torques per length on an exact beam, given in global axes or in those of its sections,
 * with which they turn.
 *
 *   f(s, t) of the law; node i of the beam bears f_i = sum over its shares of weight f(s, t),
 *   or R_i f_i of a load in the axes of sections (elements/line_load.h)
 *
 * The frames B are those of the nodes, one pair after the other, and A is the ground. So what acts
 * on a node is what `force` and `torque` are, and its tangent too. */
#include "elements/line_load.h"
#include "forces/force.h"

extern const lmb_force_type lmb_line_force, lmb_line_torque;

/* Its data, and what it is read into. */
typedef struct keys {
    int follows; /* it is given in axes of sections, and turns with them */
    bool varies; /* its law reads s */
    const lmb_line_load *load;
    const lmb_tree *at, *vector;
    lmb_value from, to;
} keys;

static const keys *own(const lmb_force *f)
{
    return f->data;
}

static bool follows(const lmb_force *f)
{
    return own(f)->follows;
}

/* --- on nodes --------------------------------------------------------------------------------- */

/* The law at an arc length; `slope`: its change along the variables that change. */
static vec3 law_at(const lmb_force *f, const lmb_force_at *at, double s, bool slope)
{
    lmb_jet x[3] = {{0}};
    at->variables[LMB_EFFORT_COORDINATE] = (lmb_jet){s, 0, 0};
    lmb_expr_play(f->law, (lmb_jet){at->t, 0, 0}, at->records, at->variables, x);
    vec3 law = slope ? v3(x[0].d, x[1].d, x[2].d) : v3(x[0].f, x[1].f, x[2].f);
    law = v3_scale(at->load, law);
    law = slope ? law : v3_add(law, at->added);
    return lmb_expr_size(f->law) == 1 ? v3(0, 0, law.x) : law; /* a single number is about z */
}

/* What a node bears, in global axes or in its own. */
static vec3 on_node(const lmb_force *f, const lmb_force_at *at, int node, bool slope)
{
    const lmb_line_load *load = own(f)->load;
    vec3 sum = v3(0, 0, 0), law = v3(0, 0, 0);
    for (int i = load->shares[node]; i < load->shares[node + 1]; i++) {
        const lmb_line_point *point = &load->points[load->share[i].point];
        if (own(f)->varies || i == load->shares[node])
            law = law_at(f, at, point->s, slope);
        sum =
            v3_axpy(sum, load->share[i].weight, own(f)->follows ? m3_mul(&point->axes, law) : law);
    }
    return sum;
}

static void prepare(const lmb_force *f, const lmb_force_at *at)
{
    for (int i = 0; i < f->pair_count; i++)
        at->vectors[i] = on_node(f, at, i, false);
}

/* --- on frames -------------------------------------------------------------------------------- */

static vec3 in_global_axes(const lmb_force *f, const lmb_frame *axes, vec3 v)
{
    mat3 R = frame_rotation(axes);
    return follows(f) ? m3_mul(&R, v) : v;
}

static vec3 node_vector(const lmb_force *f, const lmb_force_at *at)
{
    return in_global_axes(f, at->B, at->vectors[at->pair]);
}

static void act(const lmb_force *f, vec3 v, const lmb_frame *axes, lmb_frame *on_B)
{
    if (f->type == &lmb_line_torque)
        frame_add_moment(on_B, 1, v, axes);
    else
        on_B->p = v3_add(on_B->p, v);
}

static void evaluate(const lmb_force *f, const lmb_force_at *at, lmb_frame *on_A, lmb_frame *on_B)
{
    (void)on_A;
    act(f, node_vector(f, at), at->B, on_B);
}

static void tangent(const lmb_force *f, const lmb_force_at *at, const lmb_frame *xA,
                    const lmb_frame *xB, const lmb_frame *vA, const lmb_frame *vB, lmb_frame *on_A,
                    lmb_frame *on_B)
{
    (void)xA, (void)vA, (void)vB, (void)on_A;
    if (follows(f))
        act(f, in_global_axes(f, xB, at->vectors[at->pair]), at->B, on_B);
    if (f->type == &lmb_line_torque)
        act(f, node_vector(f, at), xB, on_B);
}

static void by_input(const lmb_force *f, const lmb_force_at *at, int i, lmb_frame *on_A,
                     lmb_frame *on_B)
{
    lmb_jet *input = &at->variables[LMB_EFFORT_VARIABLES + i];
    (void)on_A;
    input->d = 1;
    act(f, in_global_axes(f, at->B, on_node(f, at, at->pair, true)), at->B, on_B);
    input->d = 0;
}

static bool channel(const lmb_force *f, int k, lmb_force_channel *out)
{
    bool torque = f->type == &lmb_line_torque;
    *out = (lmb_force_channel){"total",
                               torque ? "N m" : "N",
                               "The sum of what acts along the beam, global axes.",
                               torque ? LMB_TURN : LMB_VECTOR,
                               true,
                               node_vector};
    return k == 0;
}

static double potential(const lmb_force *f, const lmb_force_at *at)
{
    return follows(f) || f->input_count ? NAN : -v3_dot(node_vector(f, at), at->B->p);
}

static bool turns_in_space(const lmb_force *f)
{
    return lmb_expr_size(f->law) == 3;
}

/* --- reading ---------------------------------------------------------------------------------- */

/* The part of the beam, of a length, that it acts on. */
static lmb_status read_part(lmb_force_build *b, const keys *k, double length, double part[2])
{
    const lmb_value *ends[2] = {&k->from, &k->to};
    part[1] = length;
    for (int i = 0; i < 2; i++) {
        if (!ends[i]->given)
            continue;
        part[i] = ends[i]->number;
        if (part[i] >= 0 && part[i] <= length * (1 + 1e-9))
            continue;
        lmb_fail_at(b->context, ends[i]->place, "%s is off the beam: '%s' is %.10g m", b->what,
                    i ? "to" : "from", part[i]);
        return lmb_hint(b->context, "arc lengths of the beam are 0 to %.10g m", length);
    }
    if (part[1] - part[0] > 1e-9 * length)
        return LMB_OK;
    lmb_fail_at(b->context, ends[k->to.given]->place, "%s acts on no length: from %.10g to %.10g m",
                b->what, part[0], part[1]);
    return lmb_hint(b->context, "'from' must be before 'to'");
}

static lmb_status build(lmb_force_build *b, void *read)
{
    keys *k = read;
    const lmb_exact_beam *beam;
    int body, torque = b->force->type == &lmb_line_torque;
    double length = 0, part[2] = {0, 0};
    lmb_status status = b->names->line(b, k->at, &body, &beam);
    if (status)
        return status;
    for (int e = 0; e < beam->element_count; e++)
        length += beam->lengths[e];
    status = read_part(b, k, length, part);
    if (lmb_read_vector_law(b->reader, k->vector, torque ? "torque" : "force",
                            torque && b->dimension == 2 ? 1 : b->dimension, "s", &b->force->law))
        status = LMB_BAD_INPUT;
    if (status)
        return status;
    if (!(k->load = lmb_line_load_new(beam, part[0], part[1], b->reader->arena)))
        return lmb_fail_memory(b->context);
    k->varies = lmb_expr_reads(b->force->law, LMB_EFFORT_COORDINATE);
    b->force->pair = b->rows->pair_count;
    b->force->pair_count = k->load->node_count;
    for (int i = 0; i < k->load->node_count; i++) {
        int node = k->load->nodes[i];
        lmb_end ends[2] = {{0, -1, frame_identity(), false}, {body, node, beam->nodes[node], true}};
        lmb_rows_ends(b->rows, ends);
    }
    return LMB_OK;
}

#define AT(member) LMB_AT(keys, member)
#define BEAM_FIELDS                                                                                \
    {"at", AT(at), LMB_FIELD_END, NULL, "The beam, of 'deformation: large'.", .required = true},   \
        {"from",                                                                                   \
         AT(from),                                                                                 \
         LMB_FIELD_NUMBER,                                                                         \
         "m",                                                                                      \
         "Where it begins: arc length from the start of the undeformed beam.",                     \
         "0"},                                                                                     \
        {"to", AT(to), LMB_FIELD_NUMBER, "m", "Where it ends.", "the end of the beam"},            \
    {                                                                                              \
        "axes", AT(follows), LMB_FIELD_CHOICE, NULL,                                               \
            "Whether the vector keeps its direction, or is given in the axes of the sections (x "  \
            "along "                                                                               \
            "the beam) and turns with them.",                                                      \
            .choices = "global section", .otherwise_doc = "global"                                 \
    }

static const lmb_field force_fields[] = {
    {"force", AT(vector), LMB_FIELD_TREE, "N/m",
     "The force per undeformed length, a vector of expressions of s (arc length), t and channels.",
     .required = true, .choices = "vector"},
    BEAM_FIELDS,
    {0},
};

#define OPERATIONS                                                                                 \
    .size = sizeof(keys), .kept = offsetof(keys, at), .build = build, .prepare = prepare,          \
    .evaluate = evaluate, .tangent = tangent, .by_input = by_input, .channel = channel,            \
    .input = LMB_ALWAYS_INPUT, .is_load = true

const lmb_force_type lmb_line_force = {
    .name = "line-force",
    .doc = "A force per length along an exact beam or a part of it.",
    .fields = force_fields,
    OPERATIONS,
    .potential = potential,
    .is_circulatory = follows,
};

static const lmb_field torque_fields[] = {
    {"torque", AT(vector), LMB_FIELD_TREE, "N m/m",
     "The torque per undeformed length, an expression of s (arc length), t and channels: a number "
     "in the plane, a vector in space.",
     .required = true, .choices = "vector"},
    BEAM_FIELDS,
    {0},
};

const lmb_force_type lmb_line_torque = {
    .name = "line-torque",
    .doc = "A torque per length along an exact beam or a part of it.",
    .fields = torque_fields,
    OPERATIONS,
    .is_circulatory = turns_in_space,
};
