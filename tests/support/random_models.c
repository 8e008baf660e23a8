#include "random_models.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bodies/modal.h"
#include "strut.h"
#include "support.h"

static unsigned long seed = 1;

double random_number(void)
{
    seed = (seed * 6364136223846793005UL + 1442695040888963407UL);
    return (double)(seed >> 11) / 4503599627370496.0 - 1;
}

/* --- models ----------------------------------------------------------------------------------- */

random_kind random_bodies;

static void put_vector(FILE *f, int dimension, double size)
{
    fprintf(f, "[%.6f, %.6f", size * random_number(), size * random_number());
    if (dimension == 3)
        fprintf(f, ", %.6f", size * random_number());
    fprintf(f, "]");
}

/* A soft beam between two points, with some keys of its own and of its body. */
static void put_beam_with(FILE *f, const char *name, int dimension, const char *keys,
                          const char *of_body)
{
    fprintf(f, "  %s: {beam: {from: ", name);
    put_vector(f, dimension, 0.3);
    fprintf(f, ", to: \"[0.6, -0.5%s] + ", dimension == 3 ? ", 0.4" : "");
    put_vector(f, dimension, 0.2);
    fprintf(f,
            "\", %s, section: {rectangle: {width: 0.1, height: 0.2}}, "
            "material: {E: 2e3, nu: 0.3, density: 80}}, interfaces: {a: start, b: end}, "
            "%s, position: ",
            keys, of_body);
    put_vector(f, dimension, 1.5);
    fprintf(f, dimension == 2 ? ", angle: %.6f}\n" : ", rotation: [%.6f, -0.9, 0.6]}\n",
            2 * random_number());
}

static void put_beam(FILE *f, const char *name, int dimension)
{
    put_beam_with(f, name, dimension, "elements: 3",
                  "reduction: {modes: 1, keep: 4, frame: {point: b}}, damping: 0.1");
}

static void put_natural_beam(FILE *f, const char *name, int dimension)
{
    put_beam_with(f, name, dimension, "elements: 3",
                  "reduction: {modes: 1, keep: 4, frame: {point: b}}, damping: 0.1, "
                  "coordinates: natural");
}

/* Of five nodes. */
static void put_exact_beam(FILE *f, const char *name, int dimension)
{
    put_beam_with(f, name, dimension, "deformation: large, elements: 2",
                  "damping: {stiffness: 0.1}");
}

/* What rigid bodies and struts have in common; the map stays open. */
static void put_inertia(FILE *f, const char *name, int dimension)
{
    fprintf(f, "  %s: {mass: 1.3, inertia: %s, position: ", name,
            dimension == 2 ? "0.7" : "[0.7, 0.9, 0.5, 0.1, -0.05, 0.02]");
    put_vector(f, dimension, 1.5);
    fprintf(f, dimension == 2 ? ", angle: %.6f" : ", rotation: [%.6f, -0.9, 0.6]",
            2 * random_number());
}

static void put_strut(FILE *f, const char *name, int dimension)
{
    put_inertia(f, name, dimension);
    fprintf(f,
            ", type: strut, tip_mass: 0.4, length: 0.9, stiffness: 6, maxwell: 5, time: 0.3, a: ");
    put_vector(f, dimension, 0.8);
    fprintf(f, "}\n");
}

/* The points of a rigid body, and the end of its map. */
static void put_points(FILE *f, int dimension)
{
    fprintf(f, ", points: {a: ");
    put_vector(f, dimension, 0.8);
    fprintf(f, ", b: ");
    put_vector(f, dimension, 0.8);
    fprintf(f, "}}\n");
}

static void put_body(FILE *f, const char *name, int dimension)
{
    put_inertia(f, name, dimension);
    put_points(f, dimension);
}

static void put_natural_body(FILE *f, const char *name, int dimension)
{
    put_inertia(f, name, dimension);
    fprintf(f, ", coordinates: natural");
    put_points(f, dimension);
}

/* The keys of a joint, from its table of fields. */
static void put_fields(FILE *f, const lmb_joint_type *type, int dimension)
{
    for (const lmb_field *field = type->fields; field->name; field++) {
        if (field->dimension && field->dimension != dimension)
            continue;
        fprintf(f, ", %s: ", field->name);
        switch (field->type) {
        case LMB_FIELD_VECTOR:
            put_vector(f, dimension, 1);
            break;
        case LMB_FIELD_NUMBERS:
            fprintf(f, "[0.3, 0.7]");
            break;
        case LMB_FIELD_FLAG:
            fprintf(f, "true");
            break;
        case LMB_FIELD_JOINTS:
            fprintf(f, strcmp(type->name, "rack") == 0 ? "[hinge, slide]" : "[hinge, hinge2]");
            break;
        default:
            fprintf(f, "0.4");
        }
    }
}

/* Forces of every kind, with laws that are not linear. */
static void put_forces(FILE *f, int dimension)
{
    const char *vector = dimension == 2 ? "[3 + t, sin(t)]" : "[3 + t, sin(t), -2]";
    fprintf(f,
            "  f1: {type: spring, between: [A.a, B.b], stiffness: 30, damping: 4, length: 0.3,"
            " force: 5*length^2*speed + t}\n"
            "  f2: {type: torsion-spring, joint: hinge, stiffness: 7, damping: 2, angle: 0.2}\n"
            "  f3: {type: motor, joint: hinge2, effort: 3*sin(angle)*speed^2 - t}\n"
            "  f4: {type: motor, joint: slide, effort: -40*offset^3 - 2*speed}\n"
            "  f5: {type: force, at: B.a, force: %s}\n"
            "  f6: {type: force, at: C.b, force: %s, axes: body}\n"
            "  f7: {type: torque, at: A.b, torque: %s}\n"
            "  f8: {type: torque, at: C.a, torque: %s, axes: body}\n"
            "  f9: {type: spring, between: [ground, P], stiffness: 11}\n",
            vector, vector, dimension == 2 ? "2*t" : vector, dimension == 2 ? "1 - t" : vector);
    fprintf(f,
            "  f10: {type: bushing, between: [A.b, C.a], stiffness: %s, damping: %s, preload: %s,"
            " rest: %s}\n"
            "  f11: {type: bushing, between: [ground, B.b], stiffness: %s}\n",
            dimension == 2 ? "[[20, 3, 1], [-2, 30, 4], [1, 4, 8]]"
                           : "[[20, 3, 1, 0, 1, 2], [-2, 30, 4, 1, 1, 0], [1, 4, 8, 0, 0, 2],"
                             " [0, 1, 0, 5, 1, 2], [1, 1, 0, 1, 6, 0], [2, 0, 1, 0, 1, 7]]",
            dimension == 2 ? "[2, 3, 1]" : "[2, 3, 1, 0.5, 0.8, 0.7]",
            dimension == 2 ? "[3, -1, 2]" : "[3, -1, 2, 0.5, 1, -2]",
            dimension == 2 ? "[0.1, 0.2, -0.4]" : "[0.1, 0.2, -0.4, 0.6, 0.3, -0.5]",
            dimension == 2 ? "[9, 8, 7]" : "[9, 8, 7, 6, 5, 4]");
    const char *law = dimension == 2
                          ? "[A.velocity.x^2, sin(C.b.position.y)*B.angle^2]"
                          : "[A.velocity.x^2, C.b.position.y*hinge.angle, B.angular_velocity.z^3]";
    const char *turn =
        dimension == 2 ? "slide.offset^2*A.angular_velocity"
                       : "[slide.offset_velocity^2, A.angular_velocity_local.y, C.b.velocity.z]";
    fprintf(f,
            "  f12: {type: force, at: B.a, force: \"%s\"}\n"
            "  f13: {type: torque, at: C.a, torque: \"%s\", axes: body}\n"
            "  f14: {type: motor, joint: hinge, effort: angle*hinge2.angle_velocity*A.position.x"
            " + speed*P.velocity.y}\n"
            "  f15: {type: spring, between: [A.a, P],"
            " force: length*hinge.angle + C.position.x*slide.offset^2}\n",
            law, turn);
    fprintf(f,
            "  f17: {type: friction, joint: hinge, coefficient: 0.3, radius: 0.2,"
            " stick_speed: 2, viscous: 0.5}\n"
            "  f18: {type: friction, joint: slide, coefficient: 0.7, stick_speed: 3}\n"
            "  f19: {type: unbalance, at: A.b, unbalance: 0.4, angle: 0.7%s}\n",
            dimension == 2 ? "" : ", axis: [0.3, -0.5, 0.8]");
}

/* Forces along the beams A and B, on all or a part of them, that vary along them. */
static void put_line_forces(FILE *f, int dimension)
{
    const char *vector = dimension == 2 ? "[3 + s^2*t, C.position.x*s]"
                                        : "[3 + s^2*t, C.position.x*s, A.b.velocity.z - 2]";
    const char *turn = dimension == 2 ? "2*t*s + C.angle" : "[3*s, C.b.position.y*s^2, t]";
    fprintf(f,
            "  l1: {type: line-force, at: A, force: \"%s\"}\n"
            "  l2: {type: line-force, at: B, force: \"%s\", axes: section, from: 0.05, to: 0.15}\n"
            "  l3: {type: line-torque, at: A, torque: \"%s\", from: 0.1}\n"
            "  l4: {type: line-torque, at: B, torque: \"%s\", axes: section}\n",
            vector, vector, turn, turn);
}

char *random_model_text(const lmb_joint_type *type, int dimension, const char *between)
{
    char *text;
    size_t size;
    FILE *f = open_memstream(&text, &size);
    fprintf(f, "limber: 1\ndimension: %d\ngravity: ", dimension);
    put_vector(f, dimension, 9);
    fprintf(f, "\nbodies:\n");
    void (*const put[RANDOM_ALL_KINDS])(FILE *, const char *, int) = {
        put_body, put_beam, put_natural_body, put_natural_beam, put_strut, put_exact_beam};
    put[random_bodies](f, "A", dimension);
    put[random_bodies](f, "B", dimension);
    put_body(f, "C", dimension);
    fprintf(f, "  P: {type: particle, mass: 2, position: ");
    put_vector(f, dimension, 1.5);
    fprintf(f, "}\njoints:\n");
    const char *axis = dimension == 2 ? "[0.6, 0.8]" : "[0.6, 0.5, -0.4]";
    fprintf(f, "  hinge: {type: revolute, between: [A.b, B.a]%s%s}\n",
            dimension == 3 ? ", axis: " : "", dimension == 3 ? axis : "");
    fprintf(f, "  hinge2: {type: revolute, between: [B.b, C.a]%s%s}\n",
            dimension == 3 ? ", axis: " : "", dimension == 3 ? axis : "");
    fprintf(f, "  slide: {type: translational, between: [C.b, A.a], axis: %s}\n", axis);
    fprintf(f, "  tested: {type: %s", type->name);
    if (!type->coupling)
        fprintf(f, ", between: %s", between);
    put_fields(f, type, dimension);
    fprintf(f, "}\nforces:\n");
    put_forces(f, dimension);
    if (random_bodies == RANDOM_EXACT_BEAM)
        put_line_forces(f, dimension);
    if (strcmp(type->name, "distance") == 0)
        fprintf(f,
                "  f16: {type: force, at: C, force: [tested.length^2, "
                "tested.length*tested.length_velocity%s]}\n",
                dimension == 2 ? "" : ", 1");
    fclose(f);
    return text;
}

lmb_model *compile_random(char *text)
{
    lmb_context *context = lmb_context_new();
    lmb_spec *spec;
    lmb_model *model = NULL;
    if (!lmb_spec_parse(&spec, context, "test", text)) {
        lmb_model_compile_with(&model, context, spec, kinds_with_strut());
        lmb_spec_free(spec);
    }
    for (size_t i = 0; !model && i < lmb_message_count(context); i++)
        print_error("%s\n", lmb_message_at(context, i)->text);
    if (!model)
        print_error("%s\n", text);
    assert_non_null(model);
    lmb_context_free(context);
    free(text);
    return model;
}

/* The same model with a driver on every coordinate of the tested joint. */
lmb_model *driven_random_model(const lmb_joint_type *type, int dimension, const char *between)
{
    unsigned long keep = seed;
    lmb_model *plain = compile_random(random_model_text(type, dimension, between));
    const lmb_joint *joint = &plain->joints[plain->joint_count - 1];
    static const char *const laws[] = {"angle", "offset", "length"};
    seed = keep;
    char *text = random_model_text(type, dimension, between), *driven;
    size_t size;
    FILE *f = open_memstream(&driven, &size);
    fprintf(f, "%s%s", text, joint->coordinate_count ? "drivers:\n" : "");
    for (int i = 0; i < joint->coordinate_count; i++) {
        const lmb_coordinate *c = &plain->parts.coordinates[joint->coordinate + i];
        fprintf(f, "  d%d: {joint: tested, coordinate: %s, %s: 0.8 + 0.7*t + 0.4*sin(3*t)}\n", i,
                c->name, laws[c->kind]);
    }
    fclose(f);
    free(text);
    lmb_model_free(plain);
    return compile_random(driven);
}

/* --- states ----------------------------------------------------------------------------------- */

void for_each_random_joint(void (*visit)(const lmb_joint_type *type, int dimension,
                                         const char *between))
{
    static const char *const ends[] = {"[A.a, B.b]", "[ground, B.b]", "[A.b, P]", "[B.a, ground]"};
    for (int dimension = 2; dimension <= 3; dimension++)
        for (int i = 0; lmb_joint_types[i]; i++)
            for (size_t k = 0; k < RANDOM_ALL_KINDS * sizeof ends / sizeof *ends; k++) {
                const lmb_joint_type *type = lmb_joint_types[i];
                random_bodies = (random_kind)(k % RANDOM_ALL_KINDS);
                if (type->dimension == 0 || type->dimension == dimension)
                    visit(type, dimension, ends[k / RANDOM_ALL_KINDS]);
            }
}

/* The size of a coordinate: modal ones are measured by how far the ends move and turn. */
double unit_of(const lmb_body *b, int i)
{
    const lmb_elasticity *e = lmb_body_elasticity(b);
    const lmb_modal *modal = e ? e->modal : NULL;
    int k = e ? i + b->v - b->nodes[e->node].v : -1;
    if (k < 0)
        return 1;
    return 1 / (v3_norm(modal->points[0].phi[k]) + v3_norm(modal->points[1].phi[k]) +
                v3_norm(modal->points[0].psi[k]));
}

/* Deforms a flexible body so that an end turns by half a radian. */
static void deform(const lmb_body *b, lmb_state *s)
{
    const lmb_node *modes = lmb_body_modal_node(b);
    for (int i = modes ? modes->v - b->v : b->nv; i < b->nv; i++) {
        s->q[b->q + b->nq - b->nv + i] = 0.5 * random_number() * unit_of(b, i);
        s->v[b->v + i] = random_number() * unit_of(b, i);
        s->a[b->v + i] = random_number() * unit_of(b, i);
    }
}

lmb_state *random_state(const lmb_model *m)
{
    lmb_state *s = lmb_state_new(m);
    assert_non_null(s);
    for (int i = 0; i < m->nv; i++) {
        s->v[i] = 2 * random_number();
        s->a[i] = 3 * random_number();
    }
    for (int i = 0; i < m->nz; i++)
        s->z[i] = 4 * random_number();
    for (int i = 0; i < m->body_count; i++)
        deform(&m->bodies[i], s);
    for (int i = 0; i < m->node_count; i++) { /* tips of struts are not where the row wants them */
        double d[6] = {0}, *q = s->q + m->nodes[i].q;
        for (int j = 0; m->nodes[i].label && j < m->nodes[i].nv; j++)
            d[j] = 0.3 * random_number();
        if (m->nodes[i].label) /* and nodes of beams are apart */
            lmb_node_retract(&m->nodes[i], q, d, q);
    }
    for (int i = 0; i < m->nrows; i++)
        s->lambda[i] = 5 * random_number();
    lmb_set_time(s, 0.4);
    lmb_update_position(s);
    lmb_update_velocity(s);
    return s;
}

/* The state moved along d by eps (velocities along w, time by tau). */
lmb_state *moved_state(const lmb_state *from, const double *d, double eps, const double *w,
                       double tau)
{
    lmb_state *s = lmb_state_new(from->model);
    lmb_state_copy(s, from);
    double *step = calloc((size_t)from->model->nv + 1, sizeof *step);
    for (int i = 0; i < from->model->nv; i++) {
        step[i] = d ? eps * d[i] : 0;
        s->v[i] += w ? eps * w[i] : 0;
    }
    lmb_retract(s, from->q, step);
    lmb_set_time(s, from->t + tau * eps);
    lmb_update_position(s);
    lmb_update_velocity(s);
    free(step);
    return s;
}
