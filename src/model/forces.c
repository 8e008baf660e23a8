/* The section `forces`. */
#include <stdio.h>
#include <string.h>

#include "model/fields.h"
#include "model/sections.h"

enum { MOST_FIELDS = 12 };

static const lmb_force_type *find_type(lmb_builder *r, const lmb_tree *node)
{
    lmb_nearest nearest = lmb_nearest_start(node->text);
    for (int i = 0; lmb_force_types[i]; i++) {
        lmb_nearest_try(&nearest, lmb_force_types[i]->name);
        if (strcmp(lmb_force_types[i]->name, node->text) == 0)
            return lmb_force_types[i];
    }
    lmb_fail_at(r->context, node->place, "there is no force type '%s'", node->text);
    if (nearest.best)
        lmb_nearest_hint(r->context, &nearest);
    else
        lmb_hint(r->context, "`limber help --reference` lists them");
    return NULL;
}

/* A pair of markers at two ends. */
static int pair_of(lmb_model *m, const lmb_end ends[2])
{
    int a = lmb_rows_marker(&m->parts, ends[0].body, ends[0].point, ends[0].local);
    return lmb_rows_pair(&m->parts, a,
                         lmb_rows_marker(&m->parts, ends[1].body, ends[1].point, ends[1].local));
}

static lmb_status read_spring(lmb_builder *r, const lmb_value *v, const char *what, lmb_force *f)
{
    lmb_model *m = r->model;
    lmb_end ends[2];
    if (lmb_read_ends(r, v[LMB_SPRING_BETWEEN].node, what, ends))
        return LMB_BAD_INPUT;
    vec3 x[2];
    for (int i = 0; i < 2; i++)
        x[i] = frame_compose(&m->bodies[ends[i].body].start, &ends[i].local).p;
    f->pair = pair_of(m, ends);
    f->product = lmb_half_square();
    f->kind = LMB_COORDINATE_LENGTH;
    f->stiffness = v[LMB_SPRING_STIFFNESS].number;
    f->damping = v[LMB_SPRING_DAMPING].number;
    f->rest =
        v[LMB_SPRING_LENGTH].given ? v[LMB_SPRING_LENGTH].number : v3_norm(v3_sub(x[1], x[0]));
    if (v[LMB_SPRING_FORCE].given)
        return lmb_read_effort(&r->reader, v[LMB_SPRING_FORCE].node, "force", "length", &f->law);
    return LMB_OK;
}

/* The coordinate of a joint that a force acts along. */
static lmb_status along_joint(lmb_builder *r, const lmb_value *joint, const lmb_value *which,
                              int kind, lmb_force *f, const lmb_coordinate **coordinate)
{
    int index;
    lmb_status status = lmb_find_coordinate(r, joint, which, kind, &f->joint, &index);
    if (status)
        return status;
    const lmb_coordinate *c = *coordinate = &r->model->parts.coordinates[index];
    f->pair = c->pair;
    f->product = c->product;
    f->kind = c->kind;
    f->turn = c->turn;
    return LMB_OK;
}

static lmb_status read_torsion(lmb_builder *r, const lmb_value *v, const char *what, lmb_force *f)
{
    (void)what;
    static const lmb_value none;
    const lmb_coordinate *c;
    if (along_joint(r, &v[LMB_TORSION_JOINT], &none, LMB_COORDINATE_ANGLE, f, &c))
        return LMB_BAD_INPUT;
    f->stiffness = v[LMB_TORSION_STIFFNESS].number;
    f->damping = v[LMB_TORSION_DAMPING].number;
    f->rest = v[LMB_TORSION_REST].given ? v[LMB_TORSION_REST].number : c->near;
    return LMB_OK;
}

static lmb_status read_motor(lmb_builder *r, const lmb_value *v, const char *what, lmb_force *f)
{
    (void)what;
    static const char *const names[] = {"angle", "offset", "length"};
    const lmb_coordinate *c;
    if (along_joint(r, &v[LMB_MOTOR_JOINT], &v[LMB_MOTOR_COORDINATE], -1, f, &c))
        return LMB_BAD_INPUT;
    return lmb_read_effort(&r->reader, v[LMB_MOTOR_EFFORT].node, "effort", names[c->kind], &f->law);
}

/* The lighter of the bodies of a joint. */
static double lighter(const lmb_model *m, const lmb_pair *pair)
{
    double a = m->bodies[m->parts.markers[pair->a].body].mass;
    double b = m->bodies[m->parts.markers[pair->b].body].mass;
    return a > 0 && b > 0 ? fmin(a, b) : fmax(a, b);
}

static lmb_status read_friction(lmb_builder *r, const lmb_value *v, const char *what, lmb_force *f)
{
    const lmb_coordinate *c;
    const lmb_value *radius = &v[LMB_FRICTION_RADIUS];
    if (along_joint(r, &v[LMB_FRICTION_JOINT], &v[LMB_FRICTION_COORDINATE], -1, f, &c))
        return LMB_BAD_INPUT;
    const lmb_joint *joint = &r->model->joints[f->joint];
    if (c->kind == LMB_COORDINATE_LENGTH)
        return lmb_fail_at(r->context, v[LMB_FRICTION_JOINT].place,
                           "joint '%s' does not slide or turn, so it has no friction", joint->name);
    if (c->kind == LMB_COORDINATE_ANGLE && !radius->given)
        return lmb_fail_at(r->context, v[LMB_FRICTION_JOINT].place,
                           "%s needs a 'radius', because joint '%s' turns", what, joint->name);
    if (c->kind == LMB_COORDINATE_OFFSET && radius->given)
        return lmb_fail_at(r->context, radius->place,
                           "'radius' is for joints that turn; joint '%s' slides", joint->name);
    f->damping = v[LMB_FRICTION_VISCOUS].number;
    f->friction = v[LMB_FRICTION_COEFFICIENT].number * (radius->given ? radius->number : 1);
    f->stick_speed = v[LMB_FRICTION_STICK_SPEED].number;
    const lmb_pair *pair = &r->model->parts.pairs[joint->pair];
    lmb_input in = {.kind = LMB_INPUT_REACTION,
                    .index = f->joint,
                    .marker = {pair->a, pair->b},
                    .floor = fmax(1e-4 * lighter(r->model, pair), 1e-12)};
    return lmb_add_input(r, &in) < 0 ? lmb_fail_memory(r->context) : LMB_OK;
}

/* The body that a force from outside acts on; the first end is the ground. */
static lmb_status read_target(lmb_builder *r, const lmb_value *at, const char *what, bool turns,
                              lmb_end ends[2])
{
    ends[0] = (lmb_end){0, -1, frame_identity(), false};
    if (lmb_read_end(r, at->node, &ends[1]))
        return LMB_BAD_INPUT;
    if (ends[1].body == 0)
        return lmb_fail_at(r->context, at->place, "%s acts on the ground", what);
    if (turns && lmb_check_held(r, &ends[1], at->place, what))
        return LMB_BAD_INPUT;
    if (turns && r->model->bodies[ends[1].body].ops == &lmb_body_particle)
        return lmb_fail_at(r->context, at->place, "%s acts on a particle, which cannot turn", what);
    return LMB_OK;
}

static lmb_status read_applied(lmb_builder *r, const lmb_value *v, const char *what, lmb_force *f)
{
    lmb_model *m = r->model;
    lmb_end ends[2];
    bool torque = f->type == &lmb_force_twist;
    if (read_target(r, &v[LMB_PUSH_AT], what, torque, ends))
        return LMB_BAD_INPUT;
    f->pair = pair_of(m, ends);
    f->follows = v[LMB_PUSH_AXES].given && v[LMB_PUSH_AXES].choice == 1;
    int size = torque && m->dimension == 2 ? 1 : m->dimension;
    return lmb_read_vector_law(&r->reader, v[LMB_PUSH_VECTOR].node, torque ? "torque" : "force",
                               size, &f->law);
}

/* Axes with the third along an axis of rotation and the first turned about it by an angle. */
static mat3 rotor_axes(const lmb_value *axis, double angle)
{
    const double *x = axis->numbers;
    mat3 axes = m3_along(axis->given ? v3(x[0], x[1], x[2]) : v3(0, 0, 1));
    mat3 turn = quat_matrix(quat_exp(v3(0, 0, angle)));
    return m3_mul3(&axes, &turn);
}

static lmb_status read_unbalance(lmb_builder *r, const lmb_value *v, const char *what, lmb_force *f)
{
    lmb_end ends[2];
    if (read_target(r, &v[LMB_UNBALANCE_AT], what, true, ends))
        return LMB_BAD_INPUT;
    mat3 own = frame_rotation(&ends[1].local);
    mat3 axes = rotor_axes(&v[LMB_UNBALANCE_AXIS], v[LMB_UNBALANCE_ANGLE].number);
    axes = m3_mul3(&own, &axes);
    for (int i = 0; i < 3; i++)
        ends[1].local.e[i] = axes.c[i];
    f->pair = pair_of(r->model, ends);
    f->unbalance = v[LMB_UNBALANCE_SIZE].number;
    return LMB_OK;
}

/* Six numbers; a list of three in the plane stands for x, y and the turn about z. */
static lmb_status spread(lmb_builder *r, const lmb_value *v, const char *name, double out[6])
{
    int size = r->model->dimension == 2 ? 3 : 6;
    if (v->given && v->size != size)
        return lmb_fail_at(r->context, v->place, "'%s' must have %d numbers, not %d", name, size,
                           v->size);
    for (int i = 0; v->given && i < size; i++)
        out[size == 3 && i == 2 ? 5 : i] = v->numbers[i];
    return LMB_OK;
}

/* A matrix of a bushing: its diagonal, or all of it. */
static lmb_status read_matrix(lmb_builder *r, const lmb_value *v, const char *name,
                              double out[6][6])
{
    double x[36];
    int size = r->model->dimension == 2 ? 3 : 6, found;
    if (!v->given)
        return LMB_OK;
    if (lmb_read_numbers(&r->reader, v->node, name, 36, x, &found))
        return LMB_BAD_INPUT;
    if (found != size && found != size * size) {
        lmb_fail_at(r->context, v->place, "'%s' must have %d numbers, or %d rows of %d", name, size,
                    size, size);
        lmb_hint(r->context, size == 3 ? "the directions are x, y and the angle"
                                       : "the directions are x, y, z and the turns about them");
        return LMB_BAD_INPUT;
    }
    for (int i = 0; i < size; i++)
        for (int j = 0; j < size; j++) {
            double value = found == size ? (i == j ? x[i] : 0) : x[i * size + j];
            out[size == 3 && i == 2 ? 5 : i][size == 3 && j == 2 ? 5 : j] = value;
            if (i == j && value < 0)
                return lmb_fail_at(r->context, v->place, "'%s' must be zero or positive, but is %g",
                                   name, value);
        }
    return LMB_OK;
}

/* Turns the second end so that its axes are those of the first one at rest. */
static void rest_of(const lmb_builder *r, const double *rest, lmb_end ends[2], lmb_bushing *b)
{
    const lmb_body *bodies = r->model->bodies;
    lmb_frame A = frame_compose(&bodies[ends[0].body].start, &ends[0].local);
    lmb_frame B = frame_compose(&bodies[ends[1].body].start, &ends[1].local);
    mat3 RA = frame_rotation(&A), RB = frame_rotation(&B), turn = m3_tmul3(&RB, &RA);
    b->rest = m3_tmul(&RA, v3_sub(B.p, A.p));
    if (rest) {
        turn = quat_matrix(quat_exp(v3(-rest[3], -rest[4], -rest[5])));
        b->rest = v3(rest[0], rest[1], rest[2]);
    }
    mat3 own = frame_rotation(&ends[1].local), R = m3_mul3(&own, &turn);
    for (int i = 0; i < 3; i++)
        ends[1].local.e[i] = R.c[i];
}

static lmb_status read_bushing(lmb_builder *r, const lmb_value *v, const char *what, lmb_force *f)
{
    lmb_end ends[2];
    double rest[6] = {0};
    lmb_bushing *b = lmb_arena_alloc(r->arena, 1, sizeof *b);
    if (!b)
        return lmb_fail_memory(r->context);
    if (lmb_read_ends(r, v[LMB_BUSHING_BETWEEN].node, what, ends) ||
        read_matrix(r, &v[LMB_BUSHING_STIFFNESS], "stiffness", b->stiffness) ||
        read_matrix(r, &v[LMB_BUSHING_DAMPING], "damping", b->damping) ||
        spread(r, &v[LMB_BUSHING_PRELOAD], "preload", b->preload) ||
        spread(r, &v[LMB_BUSHING_REST], "rest", rest))
        return LMB_BAD_INPUT;
    for (int i = 0; i < 2; i++)
        if (lmb_check_held(r, &ends[i], v[LMB_BUSHING_BETWEEN].place, what))
            return LMB_BAD_INPUT;
    for (int i = 0; i < 2; i++)
        if (r->model->bodies[ends[i].body].ops == &lmb_body_particle)
            return lmb_fail_at(r->context, v[LMB_BUSHING_BETWEEN].place,
                               "%s holds a particle, which cannot turn", what);
    rest_of(r, v[LMB_BUSHING_REST].given ? rest : NULL, ends, b);
    f->pair = pair_of(r->model, ends);
    f->bushing = b;
    return LMB_OK;
}

/* The data of a force by its kind. */
static lmb_status read_kind(lmb_builder *r, const lmb_value *v, const char *what, lmb_force *f)
{
    static const struct {
        const lmb_force_type *type;
        lmb_status (*read)(lmb_builder *, const lmb_value *, const char *, lmb_force *);
    } kinds[] = {
        {&lmb_force_spring, read_spring},   {&lmb_force_torsion, read_torsion},
        {&lmb_force_motor, read_motor},     {&lmb_force_push, read_applied},
        {&lmb_force_twist, read_applied},   {&lmb_force_friction, read_friction},
        {&lmb_force_bushing, read_bushing}, {&lmb_force_unbalance, read_unbalance},
    };
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (kinds[i].type == f->type)
            return kinds[i].read(r, v, what, f);
    return lmb_fail_at(r->context, v->place, "%s cannot be read", what);
}

static lmb_status read_force(lmb_builder *r, const lmb_tree *key, const lmb_tree *node)
{
    lmb_model *m = r->model;
    char what[96];
    snprintf(what, sizeof what, "force '%.60s'", key->text);
    const lmb_tree *type = lmb_tree_get(node, "type");
    if (lmb_check_name(&r->reader, key, "force") || lmb_check_unused(r, key))
        return LMB_BAD_INPUT;
    if (node->kind != LMB_TREE_MAP || !type)
        return lmb_fail_at(r->context, key->place, "%s needs a map of keys with a 'type'", what);
    r->first_input = m->input_count;
    lmb_force f = {.name = key->text, .input = m->input_count, .joint = -1, .turn = -1};
    lmb_value v[MOST_FIELDS + 1];
    if (!(f.type = find_type(r, type)) ||
        lmb_read_values(&r->reader, node, f.type->fields, what, "type", v))
        return LMB_BAD_INPUT;
    lmb_status status = read_kind(r, v, what, &f);
    if (status)
        return status;
    f.input_count = m->input_count - f.input;
    f.variable = m->variable_count;
    m->variable_count += LMB_EFFORT_VARIABLES + f.input_count;
    m->forces[m->force_count++] = f;
    return lmb_add_item(r, LMB_ITEM_FORCE, f.name, m->force_count - 1);
}

lmb_status lmb_read_forces(lmb_builder *r, const lmb_tree *section)
{
    lmb_model *m = r->model;
    if (lmb_tree_is_empty(section))
        return LMB_OK;
    if (section->kind != LMB_TREE_MAP)
        return lmb_fail_kind(&r->reader, section, "forces", "a map of names to forces");
    m->forces = lmb_arena_alloc(r->arena, (size_t)section->count, sizeof *m->forces);
    if (!m->forces)
        return lmb_fail_memory(r->context);
    lmb_status status = LMB_OK;
    for (int i = 0; i < section->count; i++)
        if (read_force(r, section->keys[i], section->items[i]))
            status = LMB_BAD_INPUT;
    return m->parts.failed ? lmb_fail_memory(r->context) : status;
}
