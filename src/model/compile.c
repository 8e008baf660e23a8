/* Compiling a model: from the tree of a file to indexed bodies, rows and laws. */
#include <stdio.h>
#include <string.h>

#include "analysis/analysis.h"
#include "channels/channels.h"
#include "model/fields.h"
#include "model/sections.h"

enum { MOST_INSTANTS = 100000000 };

/* --- small sections --------------------------------------------------------------------------- */

static lmb_status read_analysis(lmb_builder *r, const lmb_tree *key, const lmb_tree *node,
                                bool complete)
{
    char what[96];
    snprintf(what, sizeof what, "analysis '%.60s'", key->text);
    lmb_value v[LMB_ANALYSIS_COUNT + 1];
    if (lmb_check_name(&r->reader, key, "analysis") ||
        lmb_read_values(&r->reader, node, lmb_analysis_fields, what, NULL, v))
        return LMB_BAD_INPUT;
    lmb_analysis a = {.name = key->text,
                      .kind = lmb_analysis_kinds[v[LMB_ANALYSIS_TYPE].choice],
                      .start = v[LMB_ANALYSIS_START].number,
                      .duration = v[LMB_ANALYSIS_DURATION].number,
                      .from = -1,
                      .place = key->place};
    bool instant = a.kind->timeless;
    if (instant && v[LMB_ANALYSIS_DURATION].given)
        return lmb_fail_at(r->context, v[LMB_ANALYSIS_DURATION].place,
                           "%s no time: remove 'duration'", a.kind->timeless);
    if (!instant && !v[LMB_ANALYSIS_DURATION].given)
        return lmb_fail_at(r->context, key->place, "%s needs the key 'duration'", what);
    a.output_step =
        v[LMB_ANALYSIS_OUTPUT_STEP].given ? v[LMB_ANALYSIS_OUTPUT_STEP].number : a.duration / 100;
    if (!instant && a.duration / a.output_step > MOST_INSTANTS)
        return lmb_fail_at(r->context, v[LMB_ANALYSIS_OUTPUT_STEP].place,
                           "%s would store %.3g instants, more than %d", what,
                           a.duration / a.output_step, MOST_INSTANTS);
    lmb_status status = lmb_read_integration(r, v, a.output_step, &a.integration);
    if (!status && complete && v[LMB_ANALYSIS_WITHOUT].given)
        status = lmb_read_selection(r, v[LMB_ANALYSIS_WITHOUT].node, "without", &a.without);
    if (!status && v[LMB_ANALYSIS_FROM].given)
        status = lmb_read_from(r, &v[LMB_ANALYSIS_FROM], &v[LMB_ANALYSIS_START], &a);
    r->model->analyses[r->model->analysis_count++] = a;
    return status;
}

/* `complete`: all other parts were read without a mistake, so that their names are known. */
static lmb_status read_analyses(lmb_builder *r, const lmb_tree *section, bool complete)
{
    if (lmb_tree_is_empty(section))
        return LMB_OK;
    if (section->kind != LMB_TREE_MAP)
        return lmb_fail_kind(&r->reader, section, "analyses", "a map of names to analyses");
    r->model->analyses =
        lmb_arena_alloc(r->arena, (size_t)section->count, sizeof *r->model->analyses);
    if (!r->model->analyses)
        return lmb_fail_memory(r->context);
    lmb_status status = LMB_OK;
    for (int i = 0; i < section->count; i++)
        if (read_analysis(r, section->keys[i], section->items[i], complete))
            status = LMB_BAD_INPUT;
    return status;
}

/* --- the whole -------------------------------------------------------------------------------- */

static lmb_status check_version(lmb_builder *r, const lmb_value *v)
{
    if (v->number == 1)
        return LMB_OK;
    return lmb_fail_at(r->context, v->place, "this program reads 'limber: 1', not version %g",
                       v->number);
}

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

/* Keeps the parameters and tables for the sensors and events. */
static lmb_status keep_constants(lmb_builder *r)
{
    lmb_model *m = r->model;
    size_t room = (size_t)(r->reader.parameter_count + r->reader.table_count);
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
    return LMB_OK;
}

/* Each sensor must make sense in all analyses, so with what all of them know; events are used only
 * where there is dynamics. */
static lmb_status check_sensors(lmb_builder *r)
{
    const lmb_model *m = r->model;
    lmb_channels *channels;
    unsigned all = m->analysis_count ? ~0u : LMB_KNOWN_MOTION | LMB_KNOWN_REACTIONS, some = 0;
    if (m->sensor_count == 0)
        return LMB_OK;
    for (int i = 0; i < m->analysis_count; i++) {
        all &= m->analyses[i].kind->known;
        some |= m->analyses[i].kind->known;
    }
    if (all & LMB_KNOWN_REACTIONS)
        all |= some & LMB_KNOWN_WORK;
    lmb_status status = lmb_channels_new(&channels, r->context, m, all);
    lmb_channels_free(channels);
    return status;
}

/* Events may use the channels of dynamics. */
static lmb_status check_events(lmb_builder *r)
{
    lmb_channels *channels;
    if (r->model->event_count == 0)
        return LMB_OK;
    lmb_status status = lmb_channels_new(&channels, r->context, r->model, LMB_KNOWN_IN_DYNAMICS);
    lmb_channels_free(channels);
    return status ? status : lmb_check_latches(r);
}

/* What came of two things; both are done, for the more mistakes are shown at once, the better. */
static lmb_status first(lmb_status one, lmb_status other)
{
    return one ? one : other;
}

static lmb_status read_parts(lmb_builder *r, const lmb_value *v)
{
    lmb_status status = lmb_read_bodies(r, v[LMB_ROOT_BODIES].node, v[LMB_ROOT_GROUND].node);
    if (!r->model->bodies)
        return first(status, read_analyses(r, v[LMB_ROOT_ANALYSES].node, false));
    status = first(status, lmb_read_joints(r, v[LMB_ROOT_JOINTS].node));
    status = first(status, lmb_read_drivers(r, v[LMB_ROOT_DRIVERS].node));
    status = first(status, lmb_read_forces(r, v[LMB_ROOT_FORCES].node));
    status = first(status, lmb_read_sensors(r, v[LMB_ROOT_SENSORS].node));
    if (!status)
        status = lmb_read_events(r, v[LMB_ROOT_EVENTS].node);
    return first(status, read_analyses(r, v[LMB_ROOT_ANALYSES].node, !status));
}

lmb_status lmb_read_head(lmb_reader *r, const lmb_tree **root)
{
    lmb_status status = lmb_collect_parameters(r, lmb_tree_get(*root, "parameters"));
    const lmb_tree *whole = lmb_repeat(r, *root);
    if (!whole) {
        lmb_read_parameters(r);
        *root = NULL;
        return LMB_BAD_INPUT;
    }
    *root = whole;
    status = first(status, lmb_read_tables(r, lmb_tree_get(whole, "tables")));
    status = first(status, lmb_read_parameters(r));
    return first(status, read_dimension(r, whole));
}

/* A model has bodies, or a rotor instead: *bodies becomes an empty map. */
static lmb_status check_bodies(lmb_builder *r, const lmb_tree *root, lmb_value *v)
{
    lmb_value *bodies = &v[LMB_ROOT_BODIES];
    r->bodiless = v[LMB_ROOT_ROTOR].given;
    if (bodies->given)
        return LMB_OK;
    if (!r->bodiless) {
        lmb_fail_at(r->context, root->place, "the model needs the key 'bodies'");
        lmb_hint(r->context, "bodies: %s", lmb_root_fields[LMB_ROOT_BODIES].doc);
        return LMB_BAD_INPUT;
    }
    bodies->node = lmb_tree_new(r->arena, LMB_TREE_MAP, root->place);
    return bodies->node ? LMB_OK : lmb_fail_memory(r->context);
}

static lmb_status read_sections(lmb_builder *r, const lmb_tree *root)
{
    lmb_model *m = r->model;
    lmb_value v[LMB_ROOT_COUNT + 1];
    lmb_status status = lmb_read_head(&r->reader, &root);
    m->dimension = r->reader.dimension;
    if (!root)
        return status;
    status =
        first(status, lmb_read_values(&r->reader, root, lmb_root_fields, "the model", NULL, v));
    if (v[LMB_ROOT_LIMBER].given)
        status = first(status, check_version(r, &v[LMB_ROOT_LIMBER]));
    status = first(status, check_bodies(r, root, v));
    if (m->dimension == 0 || !v[LMB_ROOT_BODIES].node)
        return status;
    const double *g = v[LMB_ROOT_GRAVITY].numbers;
    m->gravity = v3(g[0], g[1], g[2]);
    m->title = v[LMB_ROOT_TITLE].given ? v[LMB_ROOT_TITLE].text : "";
    status = first(status, read_parts(r, v));
    if (v[LMB_ROOT_ROTOR].given)
        status = first(status, lmb_read_rotor(&r->reader, v[LMB_ROOT_ROTOR].node, m));
    if (status || (status = lmb_model_index(m, r->context)) ||
        (status = lmb_find_independent(r, v[LMB_ROOT_ANALYSES].node)))
        return status;
    m->geometry = lmb_model_geometry(r, v[LMB_ROOT_BODIES].node);
    if (!m->geometry)
        return lmb_fail_memory(r->context);
    if ((status = keep_constants(r)) || (status = check_sensors(r)) || (status = check_events(r)))
        return status;
    return lmb_find_records(r);
}

/* A text of the spec, copied so that the model can outlive it. */
static const char *keep(lmb_arena *arena, const char *text)
{
    return lmb_text_copy(arena, text, strlen(text));
}

/* Makes the model's names its own. */
static lmb_status keep_names(lmb_model *m, lmb_context *context)
{
    lmb_arena *a = m->arena;
    bool kept = (m->title = keep(a, m->title));
    for (int i = 0; i < m->body_count; i++)
        kept = kept && (m->bodies[i].name = keep(a, m->bodies[i].name));
    for (int i = 0; i < m->joint_count; i++)
        kept = kept && (m->joints[i].name = keep(a, m->joints[i].name));
    for (int i = 0; i < m->driver_count; i++)
        kept = kept && (m->drivers[i].name = keep(a, m->drivers[i].name));
    for (int i = 0; i < m->force_count; i++)
        kept = kept && (m->forces[i].name = keep(a, m->forces[i].name));
    for (int i = 0; i < m->constant_count; i++)
        kept = kept && (m->constants[i].name = keep(a, m->constants[i].name));
    for (int i = 0; i < m->analysis_count; i++) {
        kept = kept && (m->analyses[i].name = keep(a, m->analyses[i].name));
        m->analyses[i].place.file = m->file;
        m->analyses[i].place.text = m->text;
    }
    for (int i = 0; i < m->record_count; i++) {
        m->records[i].place.file = m->file;
        m->records[i].place.text = m->text;
    }
    for (int i = 0; i < m->event_count; i++) {
        lmb_event *e = &m->events[i];
        kept = kept && (e->name = keep(a, e->name)) && (e->text = keep(a, e->text));
        e->place.file = m->file;
        e->place.text = m->text;
    }
    for (int i = 0; i < m->sensor_count; i++) {
        lmb_sensor *s = &m->sensors[i];
        kept = kept && (s->name = keep(a, s->name)) && (s->text = keep(a, s->text));
        s->place.file = m->file;
        s->place.text = m->text;
    }
    return kept ? LMB_OK : lmb_fail_memory(context);
}

lmb_status lmb_model_compile(lmb_model **out, lmb_context *context, const lmb_spec *spec)
{
    *out = NULL;
    lmb_arena *arena;
    lmb_model *m = lmb_arena_object(&arena, sizeof *m);
    if (!m)
        return lmb_fail_memory(context);
    m->arena = arena;
    m->parts.arena = arena;
    m->file = keep(arena, spec->file);
    m->text = keep(arena, spec->text);
    lmb_builder builder = lmb_builder_start(context, spec, m);
    lmb_status status = m->file && m->text ? LMB_OK : lmb_fail_memory(context);
    if (!status && spec->root->kind != LMB_TREE_MAP)
        status = lmb_fail_at(context, spec->root->place, "a model must be a map of keys, not %s",
                             lmb_tree_kind_name(spec->root));
    if (!status && !(status = read_sections(&builder, spec->root)))
        status = keep_names(m, context);
    if (status) {
        lmb_model_free(m);
        return status;
    }
    *out = m;
    return LMB_OK;
}
