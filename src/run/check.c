/* What can be wrong with a run before it begins. */
#include "run/run.h"

#include <string.h>

#include "analysis/analysis.h"
#include "base/text.h"
#include "system/state.h"

/* What is asked for. */
typedef struct request {
    lmb_context *context;
    const lmb_model *model;
    const char *const *names;
    bool *needed; /* lmb_run_needs */
} request;

bool lmb_run_wants(const char *const *names, const char *name)
{
    if (!names || !names[0])
        return true;
    for (int i = 0; names[i]; i++)
        if (strcmp(names[i], name) == 0)
            return true;
    return false;
}

int lmb_run_find(lmb_context *context, const lmb_model *m, const char *name)
{
    lmb_nearest nearest;
    int found = lmb_find_name(m->analyses, sizeof *m->analyses, m->analysis_count, name, &nearest);
    if (found >= 0)
        return found;
    lmb_fail(context, LMB_BAD_INPUT, "%s has no analysis '%s'", m->file, name);
    lmb_nearest_hint(context, &nearest);
    return -1;
}

lmb_status lmb_need_mechanism(lmb_context *context, const lmb_model *m)
{
    if (m->body_count > 1 || !m->rotor)
        return LMB_OK;
    return lmb_fail_hint(context, "see `limber rotor`", "%s has no bodies, but a rotor", m->file);
}

/* All names asked for must exist. */
static lmb_status check_names(lmb_context *context, const lmb_model *m, const char *const *names)
{
    if (m->analysis_count == 0) {
        lmb_fail(context, LMB_BAD_INPUT, "%s has no analyses", m->file);
        if (m->rotor && m->body_count <= 1)
            lmb_hint(context, "it has a rotor: see `limber rotor`");
        else
            lmb_hint(context,
                     "add for example 'analyses: {turn: {type: kinematics, duration: 1}}'");
        return LMB_BAD_INPUT;
    }
    for (int i = 0; names && names[i]; i++)
        if (lmb_run_find(context, m, names[i]) < 0)
            return LMB_BAD_INPUT;
    return LMB_OK;
}

/* Says why an analysis cannot play a record back: it must be complete by then. */
static lmb_status fail_record(const request *r, const lmb_record *record, int analysis,
                              const char *kind, const char *name)
{
    const lmb_model *m = r->model;
    const char *here = m->analyses[analysis].name, *source = m->analyses[record->source].name;
    if (record->source >= analysis) {
        lmb_fail_at(r->context, record->place,
                    "%s '%s' plays back a record of analysis '%s', which is not complete in "
                    "analysis '%s'",
                    kind, name, source, here);
        lmb_hint(r->context, "leave it out there: 'without: [%s]' in analysis '%s'", name, here);
    } else {
        lmb_fail_at(r->context, record->place,
                    "%s '%s' plays back a record of analysis '%s', which must run as well", kind,
                    name, source);
        lmb_hint(r->context, "run all analyses, or add --analysis %s", source);
    }
    return LMB_BAD_INPUT;
}

/* An analysis that begins from another needs that to run as well. */
static lmb_status check_from(const request *r, int analysis)
{
    const lmb_analysis *a = &r->model->analyses[analysis];
    const char *from = a->from < 0 ? NULL : r->model->analyses[a->from].name;
    if (!from || lmb_run_wants(r->names, from))
        return LMB_OK;
    lmb_fail_at(r->context, a->place, "analysis '%s' begins from '%s', which must run as well",
                a->name, from);
    return lmb_hint(r->context, "run all analyses, or add --analysis %s", from);
}

/* A record that an analysis plays back, by a force or a driver. */
typedef lmb_status take_record(const request *r, const lmb_record *record, int analysis,
                               const char *kind, const char *name);

/* Hands over all records that an analysis plays back. */
static lmb_status find_records(const request *r, int analysis, take_record *take)
{
    const lmb_model *m = r->model;
    lmb_status status = LMB_OK;
    if (m->record_count == 0)
        return LMB_OK;
    lmb_state *s = lmb_state_new(m);
    if (!s)
        return lmb_fail_memory(r->context);
    lmb_switch_absent(s, &m->analyses[analysis].without);
    for (int k = 0; k < m->record_count && !status; k++) {
        const lmb_record *record = &m->records[k];
        for (int i = 0; i < m->force_count && !status; i++)
            if (!s->force_off[i] && m->forces[i].law && lmb_expr_plays(m->forces[i].law, k))
                status = take(r, record, analysis, "force", m->forces[i].name);
        for (int i = 0; i < m->driver_count && !status; i++)
            if (!s->row_off[m->drivers[i].row] &&
                lmb_expr_plays(m->laws[m->drivers[i].law].expression, k))
                status = take(r, record, analysis, "driver", m->drivers[i].name);
    }
    lmb_state_free(s);
    return status;
}

/* A record must come from an analysis that runs before. */
static lmb_status check_record(const request *r, const lmb_record *record, int analysis,
                               const char *kind, const char *name)
{
    return record->source < analysis &&
                   lmb_run_wants(r->names, r->model->analyses[record->source].name)
               ? LMB_OK
               : fail_record(r, record, analysis, kind, name);
}

/* Envelopes of a span need an analysis over time with instants in it. */
static lmb_status check_span(const request *r)
{
    const lmb_model *m = r->model;
    bool some = lmb_span_is_all(m->span);
    for (int i = 0; i < m->analysis_count && !some; i++) {
        lmb_span span = lmb_run_span(m, &m->analyses[i]);
        if (!lmb_run_wants(r->names, m->analyses[i].name) || lmb_span_is_all(span))
            continue;
        for (int k = 0; k < lmb_instant_count(&m->analyses[i]) && !some; k++)
            some = lmb_span_holds(span, lmb_instant(&m->analyses[i], k), 0);
    }
    if (some)
        return LMB_OK;
    char text[96];
    lmb_span_text(m->span, "t", text);
    return lmb_fail(r->context, LMB_BAD_INPUT, "no analysis has instants %s", text);
}

lmb_span lmb_run_span(const lmb_model *m, const lmb_analysis *a)
{
    double rounding = 1e-9 * a->output_step;
    if (a->kind->timeless)
        return lmb_span_all;
    return (lmb_span){m->span.from - rounding, m->span.to + rounding};
}

lmb_status lmb_run_check(lmb_context *context, const lmb_model *m, const char *const *names)
{
    request r = {context, m, names, NULL};
    lmb_status status = check_names(context, m, names);
    for (int i = 0; !status && i < m->analysis_count; i++)
        if (lmb_run_wants(names, m->analyses[i].name) && !(status = check_from(&r, i)))
            status = find_records(&r, i, check_record);
    return status ? status : check_span(&r);
}

static lmb_status need_record(const request *r, const lmb_record *record, int analysis,
                              const char *kind, const char *name)
{
    if (record->source >= analysis)
        return fail_record(r, record, analysis, kind, name);
    r->needed[record->source] = true;
    return LMB_OK;
}

lmb_status lmb_run_needs(lmb_context *context, const lmb_model *m, int analysis, bool *needed)
{
    request r = {context, m, NULL, needed};
    lmb_status status = LMB_OK;
    for (int i = analysis; i >= 0 && !status; i--) { /* each needs earlier ones only */
        if (i != analysis && !needed[i])
            continue;
        if (m->analyses[i].from >= 0)
            needed[m->analyses[i].from] = true;
        status = find_records(&r, i, need_record);
    }
    return status;
}
