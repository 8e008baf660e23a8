/* Compiling a model: from the tree of a file to indexed bodies, rows and laws. */

#include <string.h>

#include "analysis/analysis.h"
#include "channels/channels.h"
#include "model/fields.h"
#include "model/builder.h"
#include "model/variant.h"

/* What a file is read into; parameters, tables and the dimension are read before. */
typedef struct keys {
    lmb_value limber;
    const char *title;
    vec3 gravity;
    const lmb_tree *parameters, *tables, *ground, *bodies, *joints, *drivers, *forces, *sensors,
        *events, *initial, *rotor, *analyses, *objectives, *studies;
} keys;

#define KEY(member) LMB_KEY(keys, member)

const lmb_field lmb_root_fields[] = {
    {KEY(limber), LMB_FIELD_NUMBER, NULL, "The version of the file format: 1.", .required = true},
    {KEY(title), LMB_FIELD_TEXT, NULL, "A title of one line."},
    {"dimension", LMB_NOWHERE, LMB_FIELD_TREE, NULL,
     "2 for a mechanism in the x-y plane, 3 for one in space.", .required = true,
     .choices = "number"},
    {KEY(gravity), LMB_FIELD_VECTOR, "m/s^2", "The acceleration of gravity.", "none"},
    {KEY(parameters), LMB_FIELD_TREE, NULL,
     "Named numbers and vectors that all expressions may use, each a number or an expression of "
     "the others.",
     .choices = "parameter_values"},
    {KEY(tables), LMB_FIELD_TREE, NULL, "Named functions of one variable through given points.",
     .choices = "table"},
    {KEY(ground), LMB_FIELD_TREE, NULL, "Named points of the ground.", .choices = "points"},
    {KEY(bodies), LMB_FIELD_TREE, NULL, "The bodies by name.", .choices = "body"},
    {KEY(joints), LMB_FIELD_TREE, NULL, "The joints by name.", .choices = "joint"},
    {KEY(drivers), LMB_FIELD_TREE, NULL, "The drivers by name: each prescribes a motion.",
     .choices = "driver"},
    {KEY(forces), LMB_FIELD_TREE, NULL, "The forces by name: springs, motors, loads.",
     .choices = "force"},
    {KEY(sensors), LMB_FIELD_TREE, NULL,
     "Named expressions of channels, each of which becomes a channel itself, and instruments.",
     .choices = "sensors"},
    {KEY(events), LMB_FIELD_TREE, NULL,
     "What happens in dynamics when an expression of channels crosses zero, by name.",
     .choices = "event"},
    {KEY(initial), LMB_FIELD_TREE, NULL,
     "Joint coordinates where motions begin, such as main.angle, and their rates, main.rate; the "
     "positions of bodies are then a first guess.",
     .choices = "initial_values"},
    {KEY(rotor), LMB_FIELD_TREE, NULL,
     "A shaft along x with discs and bearings, for `limber rotor`.", .dimension = 3,
     .choices = "rotor"},
    {KEY(analyses), LMB_FIELD_TREE, NULL, "What to compute, by name, in order.",
     .choices = "analysis"},
    {KEY(objectives), LMB_FIELD_TREE, NULL,
     "Numbers that tell how good a design is, by name: integrals, extremes or values of "
     "expressions "
     "of channels, or expressions of the objectives before them.",
     .choices = "objectives"},
    {KEY(studies), LMB_FIELD_TREE, NULL,
     "What is to become of parameters, by name: a best design, a fit to measurements, tables over "
     "many values, tolerances.",
     .choices = "studies"},
    {0},
};

/* It is read by lmb_repeat. */
const lmb_field lmb_repeat_fields[] = {
    {"repeat", LMB_NOWHERE, LMB_FIELD_TREE, NULL,
     "Makes an entry for each value of a counter: 'repeat: {i: [0, N]}' counts from 0 to N. {i} or "
     "{i + 1} in the name and in other texts becomes that number; expressions use i.",
     "once", .choices = "ranges"},
    {0},
};

/* The dimension must be known before any vector is read; it is 0 after a mistake. */
static lmb_status read_dimension(lmb_reader *r, const lmb_tree *root)
{
    const lmb_tree *node = lmb_tree_get(root, "dimension");
    double dimension;
    if (!node)
        return LMB_OK; /* reported with the other keys */
    if (lmb_read_number(r, node, "dimension", &dimension))
        return LMB_BAD_INPUT;
    if (dimension != 2 && dimension != 3)
        return lmb_fail_at(r->context, node->place, "'dimension' must be 2 or 3, not %g",
                           dimension);
    r->dimension = (int)dimension;
    return LMB_OK;
}

/* Keeps the parameters, tables and functions for the sensors and events. */
static lmb_status keep_constants(lmb_builder *r)
{
    lmb_model *m = r->model;
    size_t room = (size_t)(r->reader.parameter_count + r->reader.table_count);
    for (const lmb_defined *d = r->reader.functions; d; d = d->next)
        room++;
    m->constants = lmb_arena_alloc(r->arena, room, sizeof *m->constants);
    if (!m->constants)
        return lmb_fail_memory(r->context);
    for (int i = 0; i < r->reader.parameter_count; i++) {
        const lmb_parameter *p = &r->reader.parameters[i];
        lmb_constant *c = &m->constants[m->constant_count++];
        *c = (lmb_constant){p->name, {.kind = LMB_SYMBOL_VALUE, .size = p->size}};
        memcpy(c->symbol.value, p->value, sizeof p->value);
    }
    for (int i = 0; i < r->reader.table_count; i++)
        m->constants[m->constant_count++] =
            (lmb_constant){r->reader.tables[i].name,
                           {.kind = LMB_SYMBOL_TABLE, .table = r->reader.tables[i].table}};
    for (const lmb_defined *d = r->reader.functions; d; d = d->next)
        m->constants[m->constant_count++] = (lmb_constant){
            d->function.name, {.kind = LMB_SYMBOL_FUNCTION, .function = &d->function}};
    return LMB_OK;
}

/* Whether the expressions of sensors and events fit the channels of an analysis. */
static lmb_status try_channels(lmb_builder *r, unsigned known)
{
    lmb_channels *channels;
    lmb_status status = lmb_channels_new(&channels, r->context, r->model, known);
    lmb_channels_free(channels);
    return status;
}

/* Whether a body of a variant has the channels that it has in the base. */
static bool has_same_channels(const lmb_body *a, const lmb_body *b)
{
    bool plain = !lmb_body_elasticity(a) && !lmb_body_line(a);
    return a->ops == b->ops && (plain || a->own == b->own) && a->nv == b->nv && a->nz == b->nz &&
           a->node_count == b->node_count && a->point_count == b->point_count;
}

/* Whether expressions of channels mean what they mean in the base of a variant, where they are
 * known to be right: names are the same, so it is up to kinds and sizes. */
static bool are_known(const lmb_builder *r)
{
    const lmb_memo *kept = r->reader.kept;
    const lmb_model *m = r->model, *base = kept ? kept->model : NULL;
    if (!kept || (kept->choices & r->reader.changed) || m->dimension != base->dimension ||
        m->constant_count != base->constant_count || m->body_count != base->body_count ||
        m->probe_count != base->probe_count || m->nv != base->nv || m->nrows != base->nrows)
        return false;
    for (int i = 0; i < m->constant_count; i++)
        if (m->constants[i].symbol.size != base->constants[i].symbol.size)
            return false;
    for (int i = 0; i < m->body_count; i++)
        if (!has_same_channels(&m->bodies[i], &base->bodies[i]))
            return false;
    for (int i = 0; i < m->analysis_count; i++)
        if (m->analyses[i].kind != base->analyses[i].kind)
            return false;
    return true;
}

/* Each sensor must make sense in all analyses, so with what all of them know; events are used only
 * where there is dynamics, and may use its channels. */
static lmb_status check_expressions(lmb_builder *r)
{
    const lmb_model *m = r->model;
    unsigned all = m->analysis_count ? ~0u : LMB_KNOWN_MOTION | LMB_KNOWN_REACTIONS, some = 0;
    for (int i = 0; i < m->analysis_count; i++) {
        all &= m->analyses[i].kind->known;
        some |= m->analyses[i].kind->known;
    }
    if (all & LMB_KNOWN_REACTIONS)
        all |= some & LMB_KNOWN_WORK;
    lmb_status status = m->sensor_count ? try_channels(r, all) : LMB_OK;
    if (!status && m->event_count)
        status = try_channels(r, LMB_KNOWN_IN_DYNAMICS);
    return status;
}

/* Whether the channels that analyses select are there. */
static lmb_status check_results(lmb_builder *r)
{
    const lmb_model *m = r->model;
    lmb_status status = LMB_OK;
    for (int i = 0; i < m->analysis_count; i++) {
        const lmb_analysis *a = &m->analyses[i];
        lmb_channels *channels;
        if (a->result_count == 0)
            continue;
        lmb_status one = lmb_channels_new(&channels, r->context, m, a->kind->known);
        if (!one)
            one = lmb_channels_select(channels, r->context, a);
        lmb_channels_free(channels);
        status = status ? status : one;
    }
    return status;
}

/* What came of two things; both are done, for the more mistakes are shown at once, the better. */
static lmb_status first(lmb_status one, lmb_status other)
{
    return one ? one : other;
}

static lmb_status read_parts(lmb_builder *r, const keys *k)
{
    lmb_status status = lmb_read_bodies(r, k->bodies, k->ground);
    if (status == LMB_SOLVER) /* it is to stop */
        return status;
    if (!r->model->bodies)
        return first(status, lmb_read_analyses(r, k->analyses, false));
    status = first(status, lmb_read_joints(r, k->joints));
    status = first(status, lmb_read_drivers(r, k->drivers));
    status = first(status, lmb_read_initial(r, k->initial));
    status = first(status, lmb_read_forces(r, k->forces));
    status = first(status, lmb_read_sensors(r, k->sensors));
    if (!status)
        status = lmb_read_events(r, k->events);
    status = first(status, lmb_read_analyses(r, k->analyses, !status));
    status = status ? status : lmb_read_objectives(r, k->objectives);
    return status ? status : lmb_read_studies(r, k->studies);
}

lmb_status lmb_read_head(lmb_reader *r, const lmb_tree **root)
{
    const lmb_tree *whole = *root;
    *root = NULL;
    if (whole->kind != LMB_TREE_MAP)
        return lmb_fail_at(r->context, whole->place, "a model must be a map of keys, not %s",
                           lmb_tree_kind_name(whole));
    lmb_status status = lmb_collect_parameters(r, lmb_tree_get(whole, "parameters"));
    whole = lmb_memo_root(r, whole);
    if (!whole) {
        lmb_read_parameters(r);
        return LMB_BAD_INPUT;
    }
    *root = whole;
    status = first(status, lmb_read_tables(r, lmb_tree_get(whole, "tables")));
    status = first(status, lmb_read_parameters(r));
    return first(status, read_dimension(r, whole));
}

/* A model has bodies, or a rotor instead: then these are an empty map. */
static lmb_status check_bodies(lmb_builder *r, const lmb_tree *root, keys *k)
{
    r->bodiless = k->rotor;
    if (k->bodies)
        return LMB_OK;
    if (!r->bodiless) {
        lmb_fail_at(r->context, root->place, "the model needs the key 'bodies'");
        return lmb_hint(r->context, "bodies: The bodies by name.");
    }
    k->bodies = lmb_tree_new(r->arena, LMB_TREE_MAP, root->place);
    return k->bodies ? LMB_OK : lmb_fail_memory(r->context);
}

static lmb_status read_sections(lmb_builder *r, const lmb_tree *root)
{
    lmb_model *m = r->model;
    keys k;
    lmb_status status = lmb_read_head(&r->reader, &root);
    m->dimension = r->reader.dimension;
    if (!root)
        return status;
    status =
        first(status, lmb_read_fields(&r->reader, root, lmb_root_fields, "the model", NULL, &k));
    if (k.limber.given && k.limber.number != 1)
        status = lmb_fail_at(r->context, k.limber.place,
                             "this program reads 'limber: 1', not version %g", k.limber.number);
    status = first(status, check_bodies(r, root, &k));
    if (m->dimension == 0 || !k.bodies)
        return status;
    m->gravity = k.gravity;
    m->title = k.title ? k.title : "";
    status = first(status, read_parts(r, &k));
    if (k.rotor)
        status = first(status, lmb_read_rotor(&r->reader, k.rotor, m));
    if (status || (status = lmb_model_index(m, r->context)) ||
        (status = lmb_find_independent(r, k.analyses)))
        return status;
    if ((status = keep_constants(r)))
        return status;
    bool known = are_known(r);
    status = known ? LMB_OK : check_expressions(r);
    status = status ? status : lmb_check_latches(r);
    status = status ? status : lmb_find_records(r);
    status = status || known ? status : check_results(r);
    return status ? status : lmb_check_objectives(r, known);
}

lmb_status lmb_model_compile(lmb_model **out, lmb_context *context, const lmb_spec *spec)
{
    LMB_REQUIRE_OUT(context, out, spec);
    return lmb_model_compile_with(out, context, spec, &lmb_kinds_default);
}

/* What a variant can take over from its base: nothing if that is of another file or other arrays.
 */
static const lmb_memo *what_is_kept(const lmb_spec *spec, const lmb_kinds *kinds,
                                    const char *attached)
{
    const lmb_memo *kept = spec->like && !spec->whole ? spec->like->kept : NULL;
    return kept && kept->source == spec->root && kept->model->kinds == kinds &&
                   strcmp(kept->attached, attached) == 0
               ? kept
               : NULL;
}

/* A variant keeps its base, and the model that this is a variant of; false: out of memory. */
static bool stay_with(lmb_model *m, const lmb_spec *spec)
{
    if (!spec->like)
        return true;
    if (!lmb_arena_adopt(m->arena, spec->like->arena))
        return false;
    lmb_arena_share(spec->like->arena);
    return true;
}

lmb_status lmb_model_compile_with(lmb_model **out, lmb_context *context, const lmb_spec *spec,
                                  const lmb_kinds *kinds)
{
    *out = NULL;
    lmb_arena *arena;
    lmb_model *m = lmb_arena_object(&arena, sizeof *m);
    if (!m || !lmb_arena_adopt(arena, spec->tree)) { /* names and places are those of the spec */
        lmb_arena_free(arena);
        return lmb_fail_memory(context);
    }
    lmb_arena_share(spec->tree);
    m->arena = m->parts.arena = arena;
    lmb_memo *keep = lmb_arena_alloc(arena, 1, sizeof *keep);
    const char *attached = lmb_attached_text(arena, spec);
    if (!keep || !attached || !stay_with(m, spec)) {
        lmb_model_free(m);
        return lmb_fail_memory(context);
    }
    *keep = (lmb_memo){.model = m, .source = spec->root, .attached = attached};
    m->kinds = kinds;
    m->span = lmb_span_all;
    m->file = spec->file;
    m->text = spec->text;
    lmb_builder builder = lmb_builder_start(context, spec, m);
    builder.reader.keep = keep;
    builder.reader.kept = what_is_kept(spec, kinds, attached);
    lmb_status status = lmb_final_status(context, read_sections(&builder, spec->root));
    m->kept = builder.reader.kept ? builder.reader.kept : keep->spoiled ? NULL : keep;
    if (status)
        lmb_model_free(m);
    else
        *out = m;
    return status;
}

lmb_status lmb_model_variant(lmb_model **out, lmb_context *context, const lmb_spec *spec,
                             const lmb_model *base)
{
    LMB_REQUIRE_OUT(context, out, spec, base);
    lmb_spec of = *spec;
    of.like = base;
    return lmb_model_compile_with(out, context, &of, base->kinds);
}
