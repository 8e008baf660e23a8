/* Reading a state file, such as
 *
 *   time: 0.1
 *   crank: {position: [0.05, 0.05], angle: pi/4, velocity: [0, 1], angular_velocity: 10} */
#include "model/state_file.h"

#include <stdio.h>
#include <string.h>

#include "model/fields.h"
#include "model/builder.h"

/* What the state of a body is read into. */
typedef struct keys {
    lmb_value position, angular_velocity;
    lmb_orientation turned;
    vec3 velocity;
} keys;

#define KEY(member) LMB_KEY(keys, member)

static const lmb_field fields[] = {
    {KEY(position), LMB_FIELD_VECTOR, "m", "Position of the centre of mass.", "as in the model"},
    LMB_ORIENTATION_FIELDS(keys, "the global one"),
    {KEY(velocity), LMB_FIELD_VECTOR, "m/s", "Velocity of the centre of mass.", "0"},
    {KEY(angular_velocity), LMB_FIELD_NUMBERS, "rad/s",
     "Angular velocity in global axes (a number in the plane).", "0"},
    {0},
};

static lmb_status read_body(lmb_reader *r, lmb_state *s, const lmb_tree *node, int body)
{
    const lmb_body *b = &s->model->bodies[body];
    char what[96];
    lmb_snprintf(what, sizeof what, "body '%.60s'", b->name);
    keys k;
    if (lmb_read_fields(r, node, fields, what, NULL, &k))
        return LMB_BAD_INPUT;
    lmb_body placed = *b;
    k.turned.axes = (lmb_value){0};
    mat3 R;
    bool turned;
    double angle;
    if (lmb_read_orientation(r, &k.turned, &R, &turned, &angle))
        return LMB_BAD_INPUT;
    const lmb_value *w = &k.angular_velocity;
    if (k.position.given)
        placed.start.p = k.position.vector;
    if (turned) {
        placed.start = (lmb_frame){placed.start.p, {R.c[0], R.c[1], R.c[2]}};
        placed.angle = angle;
        if (b->turn)
            s->turn[s->model->parts.coordinates[b->turn - 1].turn] = angle;
    }
    b->ops->place(&placed, &placed.start, s->q + b->q);
    int wanted = s->model->dimension == 2 ? 1 : 3;
    if (w->given && w->size != wanted)
        return lmb_fail_at(r->context, w->place, "'angular_velocity' must have %d number%s", wanted,
                           wanted > 1 ? "s" : "");
    placed.velocity = k.velocity;
    placed.spin = wanted == 1 ? v3(0, 0, w->numbers[0]) : w->vector;
    b->ops->launch(&placed, s->v + b->v);
    return LMB_OK;
}

static lmb_status read_all(lmb_reader *r, lmb_state *s, const lmb_tree *root)
{
    const lmb_model *m = s->model;
    if (root->kind != LMB_TREE_MAP)
        return lmb_fail_at(r->context, root->place, "a state must be a map of bodies");
    double t = 0;
    for (int i = 0; i < root->count; i++) {
        const lmb_tree *key = root->keys[i];
        lmb_nearest nearest;
        int body = lmb_find_name(m->bodies, sizeof *m->bodies, m->body_count, key->text, &nearest);
        lmb_status status;
        if (strcmp(key->text, "time") == 0) {
            status = lmb_read_number(r, root->items[i], "time", &t);
        } else if (body > 0) {
            status = read_body(r, s, root->items[i], body);
        } else {
            status = lmb_fail_at(r->context, key->place, "there is no body '%s'", key->text);
            lmb_nearest_hint(r->context, &nearest);
        }
        if (status)
            return status;
    }
    s->law_time = t;
    lmb_update_position(s);
    lmb_update_velocity(s);
    lmb_set_time(s, t);
    lmb_accept(s);
    return LMB_OK;
}

lmb_status lmb_state_load(lmb_state *s, lmb_context *context, const char *path)
{
    lmb_spec *spec;
    lmb_status status = lmb_spec_load(&spec, context, path);
    if (status)
        return status;
    lmb_reader reader = {
        .context = context, .arena = spec->arena, .spec = spec, .dimension = s->model->dimension};
    status = read_all(&reader, s, spec->root);
    lmb_spec_free(spec);
    return status;
}
