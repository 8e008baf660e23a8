/* Kinds of one's own: a body, a joint and a force that are written here alone, found by their words
 * in a model because a longer list of kinds is passed. */
#include <math.h>
#include <stdio.h>

#include "integrate/motion.h"
#include "model/kinds.h"
#include "models.h"
#include "motions.h"
#include "support.h"

/* --- a body: a particle that carries some of the fluid around it along -------------------------
 */

typedef struct buoy {
    double added_mass;
} buoy;

static const lmb_field buoy_fields[] = {
    {"added_mass", LMB_AT(buoy, added_mass), LMB_FIELD_NUMBER, "kg",
     "Fluid that moves with it and has no weight.", .required = true, .range = LMB_NOT_NEGATIVE},
    {0},
};

/* (m + m_added) vdot = m g */
static void buoy_mass(const lmb_body_at *at, double *matrix)
{
    const lmb_body *b = at->body;
    for (int i = 0; i < b->nv * b->nv; i++)
        matrix[i] = i % (b->nv + 1) == 0 ? b->mass + ((const buoy *)b->own)->added_mass : 0;
}

static lmb_status build_buoy(lmb_body_build *b)
{
    if (b->body->mass > 0)
        return LMB_OK;
    return lmb_fail_at(b->reader->context, b->key->place, "%s needs a mass", b->what);
}

static lmb_body_ops buoy_operations; /* those of a particle, but for the mass */

static const lmb_body_type buoy_type = {
    .name = "buoy",
    .called = "a buoy",
    .doc = "A particle in a fluid.",
    .planar = &buoy_operations,
    .spatial = &buoy_operations,
    .fields = buoy_fields,
    .size = sizeof(buoy),
    .build = build_buoy,
};

/* --- a joint: the second point stays so much above the first -----------------------------------
 */

typedef struct level {
    double height;
} level;

static const lmb_field level_fields[] = {
    {"height", LMB_AT(level, height), LMB_FIELD_NUMBER, "m", "How far above."},
    {0},
};

/* d . y - height = 0 */
static lmb_status build_level(lmb_joint_build *b)
{
    int pair = lmb_joint_plain_pair(b);
    b->joint->pair = pair;
    lmb_rows_row(b->rows, "y", LMB_LENGTH);
    lmb_rows_term(b->rows, lmb_plain(1, lmb_offset_fixed(v3(0, 1, 0)), pair));
    lmb_rows_term(b->rows, lmb_plain(-((const level *)b->keys)->height, lmb_one(), pair));
    return LMB_OK;
}

static const lmb_joint_type level_type = {.name = "level",
                                          .doc = "One point as high as another.",
                                          .fields = level_fields,
                                          .size = sizeof(level),
                                          .build = build_level};

/* --- a force: drag against the velocity of a point ---------------------------------------------
 */

typedef struct drag {
    double factor;
    const lmb_tree *at;
} drag;

static const lmb_field drag_fields[] = {
    {"factor", LMB_AT(drag, factor), LMB_FIELD_NUMBER, "N s/m", "Force per speed."},
    {"at", LMB_AT(drag, at), LMB_FIELD_END, NULL, "The point.", .required = true},
    {0},
};

static lmb_status build_drag(lmb_force_build *b, void *keys)
{
    lmb_end ends[2];
    lmb_status status = b->names->target(b, ((drag *)keys)->at, ends);
    if (!status)
        b->force->pair = lmb_rows_ends(b->rows, ends);
    return status;
}

static double factor(const lmb_force *f)
{
    return ((const drag *)f->data)->factor;
}

static void drag_force(const lmb_force *f, const lmb_force_at *at, lmb_frame *on_A, lmb_frame *on_B)
{
    (void)on_A;
    on_B->p = v3_axpy(on_B->p, -factor(f), at->dB->p);
}

static void drag_tangent(const lmb_force *f, const lmb_force_at *at, const lmb_frame *xA,
                         const lmb_frame *xB, const lmb_frame *vA, const lmb_frame *vB,
                         lmb_frame *on_A, lmb_frame *on_B)
{
    (void)at, (void)xA, (void)xB, (void)vA, (void)on_A;
    on_B->p = v3_axpy(on_B->p, -factor(f), vB->p);
}

static void drag_power(const lmb_force *f, const lmb_force_at *at, double *supplied, double *lost)
{
    (void)supplied;
    *lost += factor(f) * v3_dot(at->dB->p, at->dB->p);
}

static bool drag_channel(const lmb_force *f, int k, lmb_force_channel *out)
{
    (void)f, (void)k, (void)out;
    return false;
}

static const lmb_force_type drag_type = {
    .name = "drag",
    .doc = "A force against the velocity.",
    .fields = drag_fields,
    .size = sizeof(drag),
    .kept = sizeof(drag),
    .build = build_drag,
    .evaluate = drag_force,
    .tangent = drag_tangent,
    .power = drag_power,
    .channel = drag_channel,
};

/* --- the longer lists --------------------------------------------------------------------------
 */

enum { ROOM = 40 };

static const lmb_body_type *bodies[ROOM];
static const lmb_joint_type *joints[ROOM];
static const lmb_force_type *forces[ROOM];
static lmb_kinds kinds;

/* The list with one more; what follows is NULL. */
#define EXTEND(list, old, added)                                                                   \
    do {                                                                                           \
        int n = 0;                                                                                 \
        for (; (old)[n]; n++)                                                                      \
            list[n] = (old)[n];                                                                    \
        list[n] = added;                                                                           \
    } while (0)

static int extend(void **unused)
{
    buoy_operations = lmb_body_particle;
    buoy_operations.kind = "buoy";
    buoy_operations.mass = buoy_mass;
    kinds = lmb_kinds_default;
    EXTEND(bodies, kinds.bodies, &buoy_type);
    EXTEND(joints, kinds.joints, &level_type);
    EXTEND(forces, kinds.forces, &drag_type);
    kinds.bodies = bodies;
    kinds.joints = joints;
    kinds.forces = forces;
    return open_models(unused);
}

static lmb_status compile(lmb_model **out, const char *text, const lmb_kinds *with)
{
    lmb_spec *spec;
    lmb_messages_clear(context);
    assert_ok(lmb_spec_parse(&spec, context, "test", text));
    lmb_status status = lmb_model_compile_with(out, context, spec, with);
    lmb_spec_free(spec);
    return status;
}

/* Two bodies that do not touch: one glides on a level against a drag, one sinks. */
static const char sea[] = "limber: 1\n"
                          "dimension: 2\n"
                          "gravity: [0, -9.81]\n"
                          "bodies:\n"
                          "  sled: {type: particle, mass: 2, position: [0, 3], velocity: [5, 0]}\n"
                          "  ball: {type: buoy, mass: 3, added_mass: 1.5, position: [9, 0]}\n"
                          "joints:\n"
                          "  ice: {type: level, between: [ground, sled], height: 3}\n"
                          "forces:\n"
                          "  air: {type: drag, at: sled, factor: 0.8}\n"
                          "analyses:\n"
                          "  go: {type: dynamics, duration: 1}\n";

/* x = v0 m/c (1 - exp(-c t/m)); the level carries the weight, -lambda = m g; the ball falls with
 * m g / (m + m_added). The tolerance is a few hundred times that of the integrator. */
static void test_motion(void **unused)
{
    (void)unused;
    lmb_model *m;
    assert_ok(compile(&m, sea, &kinds));
    assert_ptr_equal(m->kinds, &kinds);
    lmb_dynamics *d =
        start_motion(m, (lmb_integration){.integrator = &lmb_integrator_rk45, .tolerance = 1e-11});
    const lmb_state *s = advance(d, 1);
    vec3 sled = s->bodies[1].pose.p, ball = s->bodies[2].pose.p;
    assert_close(sled.x, 5 * 2 / 0.8 * (1 - exp(-0.8 / 2)), 1e-9);
    assert_close(sled.y, 3, 1e-9);
    assert_close(-s->lambda[0], 2 * 9.81, 1e-9);
    assert_close(ball.y, -9.81 * 3 / (3 + 1.5) / 2, 1e-9);
    finish(d, m);
}

/* A model with one word or key changed, and what is said about it. */
static void test_messages(void **unused)
{
    (void)unused;
    static const char frame[] = "limber: 1\n"
                                "dimension: 2\n"
                                "bodies:\n"
                                "  ball: {%s}\n"
                                "joints:\n"
                                "  ice: {between: [ground, ball], %s}\n"
                                "forces:\n"
                                "  air: {at: ball, %s}\n";
    static const struct {
        const char *body, *joint, *force, *message;
    } wrong[] = {
        {"type: buoi, mass: 1, added_mass: 1", "type: level", "type: drag",
         "'type' cannot be 'buoi', only rigid, particle or buoy"},
        {"type: buoi, mass: 1, added_mass: 1", "type: level", "type: drag", "did you mean 'buoy'?"},
        {"type: buoy, mass: 1, added_mas: 1", "type: level", "type: drag",
         "did you mean 'added_mass'?"},
        {"type: buoy, mass: 1", "type: level", "type: drag",
         "body 'ball' needs the key 'added_mass'"},
        {"type: buoy, added_mass: 1", "type: level", "type: drag", "body 'ball' needs a mass"},
        {"type: buoy, mass: 1, added_mass: -1", "type: level", "type: drag",
         "'added_mass' must be zero or positive"},
        {"mass: 1, added_mass: 1", "type: level", "type: drag",
         "'added_mass' is for buoy bodies, but body 'ball' is rigid"},
        {"type: buoy, mass: 1, added_mass: 1, angle: 1", "type: level", "type: drag",
         "body 'ball' is a buoy and cannot be turned"},
        {"mass: 1", "type: levl", "type: drag", "did you mean 'level'?"},
        {"mass: 1", "type: level", "type: drog", "did you mean 'drag'?"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        char text[512];
        lmb_model *m;
        snprintf(text, sizeof text, frame, wrong[i].body, wrong[i].joint, wrong[i].force);
        assert_int_equal(compile(&m, text, &kinds), LMB_BAD_INPUT);
        assert_message(context, wrong[i].message);
    }
}

/* The built-in lists know nothing of it. */
static void test_default(void **unused)
{
    (void)unused;
    lmb_model *m;
    assert_int_equal(compile(&m, sea, &lmb_kinds_default), LMB_BAD_INPUT);
    assert_message(context, "there is no force type 'drag'");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_motion),
        cmocka_unit_test(test_messages),
        cmocka_unit_test(test_default),
    };
    return cmocka_run_group_tests(tests, extend, close_models);
}
