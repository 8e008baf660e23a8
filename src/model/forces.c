/* The section `forces`. */

#include <string.h>

#include "model/builder.h"

static const lmb_force_type *find_type(lmb_builder *r, const lmb_tree *node)
{
    for (const lmb_force_type *const *t = r->model->kinds->forces; *t; t++)
        if (strcmp((*t)->name, node->text) == 0)
            return *t;
    lmb_nearest nearest = lmb_nearest_start(node->text);
    for (const lmb_force_type *const *t = r->model->kinds->forces; *t; t++)
        lmb_nearest_try(&nearest, (*t)->name);
    lmb_fail_at(r->context, node->place, "there is no force type '%s'", node->text);
    lmb_hint(r->context, "`limber help --reference` lists them");
    lmb_nearest_hint(r->context, &nearest);
    return NULL;
}

/* --- what kinds of forces ask about names ----------------------------------------------------- */

static lmb_builder *builder_of(lmb_force_build *b)
{
    return (lmb_builder *)b->reader;
}

static lmb_status find_ends(lmb_force_build *b, const lmb_tree *between, lmb_end ends[2],
                            lmb_frame placed[2])
{
    lmb_builder *r = builder_of(b);
    lmb_status status = lmb_read_ends(r, between, b->what, ends);
    for (int i = 0; !status && i < 2; i++)
        placed[i] = frame_compose(&r->model->bodies[ends[i].body].start, &ends[i].local);
    return status;
}

static lmb_status find_target(lmb_force_build *b, const lmb_tree *at, lmb_end ends[2])
{
    ends[0] = (lmb_end){0, -1, frame_identity(), false};
    lmb_status status = lmb_read_end(builder_of(b), at, &ends[1]);
    if (!status && ends[1].body == 0)
        status = lmb_fail_at(b->context, at->place, "%s acts on the ground", b->what);
    return status;
}

/* What to do where a body has no line that a load per length could act on. */
static lmb_status fail_line(lmb_force_build *b, lmb_place place, const lmb_body *body)
{
    bool elastic = lmb_body_elasticity(body) != NULL;
    lmb_fail_at(b->context, place,
                "%s acts along a beam with 'deformation: large', and '%s' is none", b->what,
                body->name);
    return lmb_hint(b->context, elastic
                                    ? "of a 'beam', 'deformation: large' makes one; a body with "
                                      "modes is loaded at its interface points"
                                    : "a rigid body is moved by the resultant alone, a force of "
                                      "type 'force' or 'torque'");
}

static lmb_status find_line(lmb_force_build *b, const lmb_tree *at, int *body,
                            const struct lmb_exact_beam **beam)
{
    lmb_builder *r = builder_of(b);
    if (at->kind != LMB_TREE_TEXT || !at->text[0])
        return lmb_fail_at(b->context, at->place, "'at' must be a beam, not %s",
                           lmb_tree_kind_name(at));
    size_t length = strcspn(at->text, ".");
    *body = lmb_find_item(r, LMB_ITEM_BODY, at->text, length);
    if (*body < 0)
        return lmb_fail_body(r, at->place, at->text);
    if (*body == 0)
        return lmb_fail_at(b->context, at->place, "%s acts on the ground", b->what);
    *beam = lmb_body_line(&r->model->bodies[*body]);
    if (!*beam && r->reader.incomplete)
        return LMB_BAD_INPUT; /* what is wrong with the beam is reported already */
    if (!*beam)
        return fail_line(b, at->place, &r->model->bodies[*body]);
    if (!at->text[length])
        return LMB_OK;
    lmb_fail_at(b->context, at->place, "%s acts along a beam, and '%s' is a point", b->what,
                at->text);
    return lmb_hint(b->context, "'at: %.*s', with the arc lengths 'from' and 'to'", (int)length,
                    at->text);
}

static lmb_status can_turn(lmb_force_build *b, const lmb_end *end, lmb_place place,
                           const char *does)
{
    lmb_builder *r = builder_of(b);
    lmb_status status = lmb_check_held(r, end, place, b->what);
    if (!status && !r->model->bodies[end->body].ops->turns)
        status =
            lmb_fail_at(b->context, place, "%s %s a particle, which cannot turn", b->what, does);
    return status;
}

static lmb_status find_coordinate(lmb_force_build *b, const lmb_value *joint,
                                  const lmb_value *which, int kind, const lmb_coordinate **out)
{
    int index;
    lmb_status status =
        lmb_find_coordinate(builder_of(b), joint, which, kind, &b->force->joint, &index);
    if (!status)
        *out = &b->rows->coordinates[index];
    return status;
}

/* A force that is small for a joint: 1e-5 of the weight of the lighter body, or without gravity its
 * inertia at 1e-4 m/s^2. */
static double small_force(const lmb_model *m, const lmb_pair *pair)
{
    double a = m->bodies[m->parts.markers[pair->a].body].mass;
    double b = m->bodies[m->parts.markers[pair->b].body].mass;
    double lighter = a > 0 && b > 0 ? fmin(a, b) : fmax(a, b), g = v3_norm(m->gravity);
    return lighter > 0 ? lighter * (g > 0 ? 1e-5 * g : 1e-4) : 1e-12;
}

static lmb_status add_reaction(lmb_force_build *b)
{
    lmb_builder *r = builder_of(b);
    int joint = b->force->joint;
    const lmb_pair *pair = &r->model->parts.pairs[r->model->joints[joint].pair];
    lmb_input in = {.kind = LMB_INPUT_REACTION,
                    .index = joint,
                    .marker = {pair->a, pair->b},
                    .floor = small_force(r->model, pair)};
    return lmb_add_input(r, &in);
}

/* --- the section ------------------------------------------------------------------------------ */

/* Reads the keys of a force of a known kind, builds it and keeps its data. */
static lmb_status build_force(lmb_builder *r, void *keys, const lmb_tree *node, const char *what,
                              lmb_force *f)
{
    static const lmb_force_names names = {find_ends, find_target,     find_line,
                                          can_turn,  find_coordinate, add_reaction};
    lmb_model *m = r->model;
    lmb_force_build b = {&r->reader, r->context, &names, &m->parts, m->dimension, what, f};
    memset(keys, 0, f->type->size);
    lmb_status status = lmb_read_fields(&r->reader, node, f->type->fields, what, "type", keys);
    if (status || (status = f->type->build(&b, keys)))
        return status;
    void *data = lmb_arena_alloc(r->arena, 1, f->type->kept);
    if (data)
        memcpy(data, keys, f->type->kept);
    f->data = data;
    return data ? LMB_OK : lmb_fail_memory(r->context);
}

static lmb_status read_force(lmb_reader *reader, const lmb_entry *e, void *keys)
{
    lmb_builder *r = (lmb_builder *)reader;
    lmb_model *m = r->model;
    const lmb_tree *type = lmb_tree_get(e->node, "type");
    if (lmb_check_unused(r, e->key))
        return LMB_BAD_INPUT;
    if (e->node->kind != LMB_TREE_MAP || !type)
        return lmb_fail_at(r->context, e->key->place, "%s needs a map of keys with a 'type'",
                           e->what);
    r->first_input = m->input_count;
    lmb_force f = {
        .name = e->key->text, .pair_count = 1, .input = m->input_count, .joint = -1, .turn = -1};
    if (!(f.type = find_type(r, type)))
        return LMB_BAD_INPUT;
    lmb_status status = build_force(r, keys, e->node, e->what, &f);
    if (status)
        return status;
    f.input_count = m->input_count - f.input;
    f.variable = m->variable_count;
    m->variable_count += LMB_EFFORT_VARIABLES + f.input_count;
    f.vector = m->vector_count;
    m->vector_count += f.type->prepare ? f.pair_count : 0;
    m->forces[m->force_count++] = f;
    return lmb_add_item(r, LMB_ITEM_FORCE, f.name, m->force_count - 1);
}

lmb_status lmb_read_forces(lmb_builder *r, const lmb_tree *section)
{
    lmb_model *m = r->model;
    size_t most = 1; /* room for the keys of a force of any kind */
    for (const lmb_force_type *const *t = m->kinds->forces; *t; t++)
        most = (*t)->size > most ? (*t)->size : most;
    r->forces = section;
    m->forces = lmb_arena_alloc(r->arena, lmb_tree_count(section), sizeof *m->forces);
    lmb_status status = lmb_read_section(&r->reader, section, "forces", "force", "forces",
                                         read_force, lmb_arena_alloc(r->arena, 1, most));
    return m->parts.failed ? lmb_fail_memory(r->context) : status;
}
