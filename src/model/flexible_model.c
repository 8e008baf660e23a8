/* Flexible bodies of a model file: as bodies of the mechanism, and by themselves. */
#include <string.h>

#include "bodies/flexible.h"
#include "model/beam_keys.h"
#include "model/exact_beam_part.h"
#include "model/flexible_part.h"
#include "model/fields.h"
#include "model/builder.h"
#include "store/body_file.h"

/* --- in a model ------------------------------------------------------------------------------- */

static lmb_status read_ratios(lmb_reader *r, const lmb_tree *node, int modes, double *out)
{
    bool list = node->kind == LMB_TREE_LIST;
    double ratio = 0;
    if (list && node->count == 0)
        return lmb_fail_at(r->context, node->place, "'ratio' is an empty list");
    for (int k = 0; k < modes || (list && k < node->count); k++) {
        const lmb_tree *item = !list ? node : k < node->count ? node->items[k] : NULL;
        lmb_status status = item ? lmb_read_number(r, item, "ratio", &ratio) : LMB_OK;
        if (status)
            return status;
        if (item && !(ratio >= 0))
            return lmb_fail_at(r->context, item->place,
                               "'ratio' must be zero or positive, but is %g", ratio);
        if (k < modes)
            out[k] = ratio;
    }
    return LMB_OK;
}

const lmb_field lmb_damping_fields[] = {
    {LMB_KEY(lmb_damping_keys, ratio), LMB_FIELD_TREE, NULL,
     "Damping ratio: a number for all modes, or a list, whose last one holds for all further "
     "modes.",
     "0", .choices = "ratios"},
    {LMB_KEY(lmb_damping_keys, mass), LMB_FIELD_NUMBER, "1/s",
     "Damping (of deformation) by so many times the mass matrix.", "0", LMB_NOT_NEGATIVE},
    {LMB_KEY(lmb_damping_keys, stiffness), LMB_FIELD_NUMBER, "s",
     "Damping by so many times the stiffness matrix.", "0", LMB_NOT_NEGATIVE},
    {0},
};

static lmb_status read_damping(lmb_reader *r, const lmb_tree *node, int modes,
                               lmb_modal_options *out)
{
    const lmb_tree *ratio = node;
    if (node->kind == LMB_TREE_MAP) {
        lmb_damping_keys k;
        lmb_status status = lmb_read_fields(r, node, lmb_damping_fields, "'damping'", NULL, &k);
        if (status)
            return status;
        out->by_mass = k.mass;
        out->by_stiffness = k.stiffness;
        ratio = k.ratio;
    }
    if (!ratio)
        return LMB_OK;
    double *ratios = lmb_arena_alloc(r->arena, (size_t)modes, sizeof *ratios);
    out->ratios = ratios;
    return ratios ? read_ratios(r, ratio, modes, ratios) : lmb_fail_memory(r->context);
}

/* Lets the data of a reduced body live as long as the model. */
static lmb_status adopt(lmb_reader *r, lmb_body_data *data)
{
    /* a body that was just reduced has its numbers in an arena of their own */
    lmb_arena *numbers = data->reduced->arena;
    if (numbers && !lmb_arena_adopt(r->arena, numbers)) {
        lmb_body_free(data);
        return lmb_fail_memory(r->context);
    }
    if (!lmb_arena_adopt(r->arena, data->arena)) {
        lmb_arena_free(data->arena);
        return lmb_fail_memory(r->context);
    }
    return LMB_OK;
}

/* What a part is made of, as a text: the names of its files and all settings; NULL: out of memory.
 */
static const char *description(lmb_reader *r, const lmb_flexible_part *p)
{
    const char *text = "";
    for (int i = 0; text && i < LMB_PART_FILES; i++)
        text = lmb_text_format(r->arena, "%s%s\n", text, p->files[i] ? p->files[i] : "");
    return text ? lmb_text_format(r->arena, "%s%.*s", text, (int)p->settings_used,
                                  p->settings_used ? p->settings : "")
                : NULL;
}

/* The data of a body of a model that is made of the same; NULL: there is none. */
static const lmb_body_data *find_same(const lmb_model *m, const char *key)
{
    for (int i = 0; m && i < m->body_count; i++) {
        const lmb_body_data *data = lmb_body_data_of(&m->bodies[i]);
        if (data && data->made_of && strcmp(data->made_of, key) == 0)
            return data;
    }
    return NULL;
}

/* The data of body number `index` in the base of a neighbour whose modes are held; NULL: they are
 * not held, or it has none. */
static const lmb_body_data *find_held(const lmb_reader *r, int index)
{
    const lmb_model *base = r->spec->held ? r->spec->like : NULL;
    return base && index < base->body_count ? lmb_body_data_of(&base->bodies[index]) : NULL;
}

/* Reduces a part, or projects it on the modes of a body of the base; or takes it from the cache,
 * which neighbours leave alone. */
static lmb_status make_data(lmb_reader *r, lmb_flexible_part *p, const lmb_body_data *held,
                            lmb_body_data **out)
{
    bool cached, use_cache = !r->spec->no_cache && !r->spec->like;
    p->reduction.fixed.accurate = r->spec->like;
    p->reduction.held = held ? held->reduced : NULL;
    lmb_status status = lmb_part_reduce(p, r->context, r->spec->file, use_cache, out, &cached);
    return status ? status : adopt(r, *out);
}

/* The data of a part: those of a body of the model, or of the base of a neighbour, that is made of
 * the same; or new ones. */
static lmb_status find_data(lmb_reader *r, lmb_flexible_part *p, int index,
                            const lmb_body_data **out)
{
    lmb_builder *b = (lmb_builder *)r;
    const char *key = p->source == LMB_PART_MODAL ? "" : description(r, p);
    const lmb_body_data *held = key && *key ? find_held(r, index) : NULL;
    if (!key)
        return lmb_fail_memory(r->context);
    if (held && held->made_of && strcmp(held->made_of, key) == 0) {
        *out = held;
        lmb_part_free(p);
        return LMB_OK;
    }
    /* of two bodies with modes of their own in the base each keeps its own */
    if (held && !(key = lmb_text_format(r->arena, "%s\nheld: %p", key, (const void *)held)))
        return lmb_fail_memory(r->context);
    const lmb_named *same = *key ? lmb_names_find(&b->parts, key, strlen(key)) : NULL;
    if (same) {
        *out = b->reduced[same->index];
        lmb_part_free(p);
        return LMB_OK;
    }
    const lmb_model *first = r->kept ? r->kept->model : NULL; /* that `like` is a variant of */
    if (*key && ((*out = find_same(r->spec->like, key)) || (*out = find_same(first, key)))) {
        lmb_part_free(p);
        return LMB_OK;
    }
    lmb_body_data *data;
    lmb_status status = make_data(r, p, held, &data);
    if (status)
        return status;
    data->made_of = *key ? key : NULL;
    *out = data;
    b->reduced = lmb_arena_append(r->arena, b->reduced, b->part_count, sizeof *b->reduced);
    if (!b->reduced || (*key && !lmb_names_add(&b->parts, r->arena, key, 0, b->part_count)))
        return lmb_fail_memory(r->context);
    b->reduced[b->part_count++] = data;
    return LMB_OK;
}

/* Gives a body the mass of its elements, and puts its frame where their centre of mass is. */
static void put_mass(lmb_body *body, const lmb_reduced *reduced)
{
    body->mass = reduced->mass;
    body->inertia = reduced->inertia;
    mat3 R = frame_rotation(&body->start);
    body->start.p = v3_add(body->start.p, m3_mul(&R, reduced->origin));
}

/* Reduces a part and makes it a body: its constants, mass and place. */
static lmb_status reduce(lmb_reader *r, lmb_flexible_part *p, const lmb_flexible_keys *k,
                         lmb_body *body)
{
    const lmb_body_data *data = NULL;
    int index = (int)(body - ((lmb_builder *)r)->model->bodies);
    lmb_status status = find_data(r, p, index, &data);
    if (status)
        return status;
    const lmb_reduced *reduced = data->reduced;
    lmb_modal_options options = {.no_quadratic = !k->quadratic_velocity,
                                 .constant = k->coupling == 1};
    if (k->damping && (status = read_damping(r, k->damping, reduced->mode_count, &options)))
        return status;
    size_t count = (size_t)reduced->mode_count;
    double *modes = NULL, *rates = NULL;
    bool rigid = p->reduction.keep.none;
    if ((!rigid && k->modes &&
         (status = lmb_read_number_table(r, k->modes, "modes", count, &modes))) ||
        (!rigid && k->modes_velocity &&
         (status = lmb_read_number_table(r, k->modes_velocity, "modes_velocity", count, &rates))))
        return status;
    lmb_flexible *own = lmb_arena_alloc(r->arena, 1, sizeof *own);
    const lmb_modal *modal = lmb_modal_new(r->arena, reduced, &options);
    if (!own || !modal)
        return lmb_fail_memory(r->context);
    *own = (lmb_flexible){{modal, data, 1, NULL}, modes, rates};
    body->own = own;
    put_mass(body, reduced);
    return LMB_OK;
}

/* What is left out with these keys is a part of the equations in reference-point coordinates. */
static lmb_status check_natural(const lmb_body_build *b)
{
    const lmb_flexible_keys *k = b->keys;
    const char *key = k->coupling == 1 ? "coupling" : "quadratic_velocity";
    if (b->common.coordinates.choice != 1 || (k->coupling == 0 && k->quadratic_velocity))
        return LMB_OK;
    lmb_fail_at(b->reader->context, lmb_key_place(b->node, key),
                "'%s' needs reference-point coordinates, but %s has 'coordinates: natural'", key,
                b->what);
    return lmb_hint(b->reader->context,
                    "in natural coordinates centrifugal forces are not terms of their own that "
                    "could be left out");
}

/* Its points are the interface points and the patches. */
static lmb_status build_new(lmb_body_build *b, int index)
{
    const lmb_flexible_keys *k = b->keys;
    lmb_builder *builder = (lmb_builder *)b->reader;
    lmb_body *body = b->body;
    lmb_flexible_part part;
    lmb_status status = lmb_read_part(b, &part);
    if (status || (status = reduce(b->reader, &part, k, body)) ||
        (k->patches && (status = lmb_read_patches(builder, index, k->patches))))
        return status;
    const lmb_modal *modal = lmb_body_elasticity(body)->modal;
    for (int i = 0; i < modal->point_count && !status; i++) {
        int patch = i - part.interface_count;
        lmb_frame local = frame_identity();
        local.p = modal->points[i].p;
        status = b->point(b, i, patch < 0 ? part.interfaces[i].name : k->patches->keys[patch]->text,
                          local);
    }
    return status || !k->probes ? status : lmb_read_probes(builder, index, k->probes);
}

/* One that is made of the same as in the base of a variant shares that, wherever it is. */
static lmb_status build(lmb_body_build *b)
{
    const lmb_flexible_keys *k = b->keys;
    lmb_builder *builder = (lmb_builder *)b->reader;
    lmb_reader *r = b->reader;
    int index = (int)(b->body - builder->model->bodies);
    bool exact;
    lmb_status status = lmb_beam_is_exact(r, k->beam, &exact);
    if (!status && exact)
        return lmb_exact_beam_body(b);
    if (!status)
        status = check_natural(b);
    if (status)
        return status;
    const lmb_body *kept = r->kept ? lmb_kept_body(builder, r->kept->parts, index) : NULL;
    if (kept && memcmp(r->kept->parts[index].item, k, sizeof *k) == 0) {
        b->body->own = kept->own;
        put_mass(b->body, lmb_body_data_of(kept)->reduced);
        return lmb_take_points(builder, index);
    }
    lmb_note before = lmb_note_start(r);
    lmb_memo_item item = {.item = k};
    status = build_new(b, index);
    item.known = lmb_note_end(r, before, &item.uses) && !status;
    if (r->keep)
        r->keep->parts[index] = item;
    return status;
}

#define KEY(member) LMB_KEY(lmb_flexible_keys, member)

static const lmb_field fields[] = {
    {KEY(beam), LMB_FIELD_TREE, NULL, "Makes it a flexible body: a beam of finite elements.",
     .choices = "beam"},
    {KEY(mesh), LMB_FIELD_TREE, NULL, "Makes it a flexible body: a mesh of another program.",
     .choices = "mesh"},
    {KEY(matrices), LMB_FIELD_TREE, NULL,
     "Makes it a flexible body: stiffness and mass matrices of another program.",
     .choices = "matrices"},
    {KEY(modal), LMB_FIELD_TREE, NULL,
     "Makes it a flexible body: modal matrices and integrals as numbers.", .choices = "modal"},
    {KEY(framework), LMB_FIELD_TREE, NULL,
     "Makes it a flexible body: beams that share nodes, such as a frame of tubes.",
     .choices = "framework"},
    {KEY(arrays), LMB_FIELD_TREE, NULL,
     "Makes it a flexible body: arrays that the program which runs the model has attached, by "
     "their "
     "name.",
     .choices = "arrays"},
    {KEY(interfaces), LMB_FIELD_TREE, NULL,
     "The points of a flexible body to which joints and forces attach, by name: start or end of a "
     "beam, a node of a framework, or a map of keys.",
     .choices = "interfaces"},
    {KEY(masses), LMB_FIELD_TREE, NULL,
     "Point masses on nodes of a beam, framework or mesh, by name.", .choices = "point_masses"},
    {KEY(reduction), LMB_FIELD_TREE, NULL, "How a flexible body is reduced to few modes.",
     .choices = "reduction"},
    {KEY(damping), LMB_FIELD_TREE, NULL,
     "Damping of a flexible body: a damping ratio for all its modes, or a map of keys.",
     "none but that of a damping matrix", .choices = "damping"},
    {KEY(coupling), LMB_FIELD_CHOICE, NULL,
     "How the mass matrix of a flexible body depends on its deformation: fully, or not at all "
     "(constant), a first approximation.",
     "full", .choices = "full constant"},
    {KEY(quadratic_velocity), LMB_FIELD_FLAG, NULL,
     "Whether the quadratic velocity forces of a flexible body act; false shows their effect.",
     "true", .otherwise = 1},
    {KEY(rigid), LMB_FIELD_FLAG, NULL,
     "Whether a flexible body is taken as rigid, with the mass and inertia of its elements: to "
     "compare with.",
     "false"},
    {KEY(probes), LMB_FIELD_TREE, NULL,
     "Places of a flexible body whose stresses are reported, by name.", .choices = "probes"},
    {KEY(patches), LMB_FIELD_TREE, NULL,
     "Places of a flexible body, by name, that forces are spread over: points that move as the "
     "mean of some nodes.",
     .choices = "patches"},
    {KEY(modes), LMB_FIELD_TREE, NULL,
     "Modal coordinates of a flexible body at the start of a dynamic analysis, one number per "
     "mode.",
     "0", .choices = "nested"},
    {KEY(modes_velocity), LMB_FIELD_TREE, NULL, "Their rates.", "0", .choices = "nested"},
    {0},
};

const lmb_body_type lmb_body_type_flexible = {
    .name = "flexible",
    .called = "flexible",
    .doc = "A body that deforms by modes, about a frame that moves with it.",
    .planar = &lmb_body_flexible_planar,
    .spatial = &lmb_body_flexible,
    .natural = &lmb_body_natural_flexible,
    .fields = fields,
    .size = sizeof(lmb_flexible_keys),
    .marks = 6,
    .how = "a body is flexible if it has the key beam, framework, mesh, matrices, modal or arrays",
    .own_points = true,
    .build = build,
};

/* --- by itself -------------------------------------------------------------------------------- */

/* The flexible ones among the bodies, and the tables that they are read with. */
typedef struct reading {
    lmb_flexible_parts *parts;
    lmb_body_tables *tables;
} reading;

static lmb_status read_body(lmb_reader *r, const lmb_entry *e, void *user)
{
    const reading *with = user;
    const lmb_kinds *kinds = with->tables->kinds;
    lmb_flexible_parts *out = with->parts;
    lmb_body_build b = {.reader = r, .what = e->what, .key = e->key, .node = e->node};
    if (kinds->bodies[lmb_body_kind_of(kinds, e->node)] != &lmb_body_type_flexible)
        return LMB_OK;
    bool exact = false;
    lmb_status status = lmb_read_body_keys(with->tables, &b);
    if (!status)
        status = lmb_beam_is_exact(r, ((const lmb_flexible_keys *)b.keys)->beam, &exact);
    return status || exact ? status : lmb_read_part(&b, &out->parts[out->count++]);
}

static lmb_status read_all(lmb_reader *r, lmb_flexible_parts *out)
{
    const lmb_tree *root = r->spec->root, *section;
    lmb_status status = lmb_read_head(r, &root);
    if (status)
        return status;
    section = lmb_tree_get(root, "bodies");
    if (!section || !r->dimension)
        return lmb_fail_at(r->context, root->place, "the model needs the key '%s'",
                           section ? "dimension" : "bodies");
    out->parts = lmb_arena_alloc(out->arena, lmb_tree_count(section), sizeof *out->parts);
    reading with = {out, lmb_body_tables_new(out->arena, &lmb_kinds_default, NULL)};
    return lmb_read_section(r, section, "bodies", "body", "bodies", read_body, &with);
}

lmb_status lmb_flexible_parts_read(lmb_flexible_parts **out, lmb_context *context,
                                   const lmb_spec *spec)
{
    *out = NULL;
    lmb_arena *arena;
    lmb_flexible_parts *p = lmb_arena_object(&arena, sizeof *p);
    if (!p)
        return lmb_fail_memory(context);
    p->arena = arena;
    lmb_reader reader = {.context = context, .arena = arena, .spec = spec};
    lmb_status status = read_all(&reader, p);
    if (status)
        lmb_flexible_parts_free(p);
    else
        *out = p;
    return status;
}

void lmb_flexible_parts_free(lmb_flexible_parts *p)
{
    if (!p)
        return;
    for (int i = 0; i < p->count; i++)
        lmb_part_free(&p->parts[i]);
    lmb_arena_free(p->arena);
}

lmb_status lmb_flexible_part_find(lmb_flexible_parts *p, lmb_context *context, const char *name,
                                  lmb_flexible_part **out)
{
    *out = p->parts;
    if (p->count == 0) {
        lmb_fail(context, LMB_BAD_INPUT, "the model has no flexible body that is reduced to modes");
        return lmb_hint(
            context, "such bodies have the key framework, mesh, matrices, modal, arrays, or beam "
                     "without large deformation");
    }
    if (!name && p->count == 1)
        return LMB_OK;
    if (!name) {
        lmb_fail(context, LMB_USAGE, "the model has %d flexible bodies", p->count);
        return lmb_hint(context, "name one with --body, such as --body %s", p->parts[0].name);
    }
    lmb_nearest nearest;
    int number = lmb_find_name(p->parts, sizeof *p->parts, p->count, name, &nearest);
    *out = number < 0 ? NULL : &p->parts[number];
    if (*out)
        return LMB_OK;
    lmb_fail(context, LMB_BAD_INPUT, "the model has no flexible body '%s'", name);
    return lmb_nearest_hint(context, &nearest);
}
