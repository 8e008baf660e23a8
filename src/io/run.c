/* Running the analyses of a model into a result file. */
#include <stdlib.h>
#include <string.h>

#include "analysis/assembly.h"
#include "analysis/channels.h"
#include "analysis/dynamics.h"
#include "analysis/kinematics.h"
#include "analysis/modes.h"
#include "analysis/statics.h"
#include "base/text.h"
#include "io/records.h"
#include "io/result_write.h"
#include "limber/analysis.h"
#include "system/switch.h"

typedef struct run {
    lmb_context *context;
    const lmb_model *model;
    const char *path;
    lmb_records *records;
    lmb_writer *writer; /* made with the first result, so that a failed start leaves old ones */
    lmb_channels *channels;
    const lmb_analysis *analysis;
    bool begun;       /* the analysis has a result */
    lmb_state **kept; /* for each analysis that begins from another: what it begins with */
} run;

static lmb_status make_file(run *r)
{
    const lmb_model *m = r->model;
    lmb_status status = lmb_writer_new(&r->writer, r->context, r->path);
    if (!status && !(status = lmb_writer_text(r->writer, r->context, "model", m->text)) &&
        !(status = lmb_writer_text(r->writer, r->context, "title", m->title)))
        status = lmb_writer_text(r->writer, r->context, "geometry", m->geometry);
    return status;
}

/* Keeps a state for the analyses that begin from this one at this instant. */
static lmb_status keep_state(run *r, const lmb_state *state)
{
    const lmb_model *m = r->model;
    int now = lmb_instant_at(r->analysis, state->t);
    for (int i = 0; i < m->analysis_count; i++) {
        const lmb_analysis *a = &m->analyses[i];
        if (a->from < 0 || &m->analyses[a->from] != r->analysis || r->kept[i] ||
            lmb_instant_at(r->analysis, a->start) != now)
            continue;
        if (!(r->kept[i] = lmb_state_new(m)))
            return lmb_fail_memory(r->context);
        lmb_state_copy(r->kept[i], state);
    }
    return LMB_OK;
}

/* Stores the channels of a state: at its time, or for a mode at the mode's number. */
static lmb_status record(run *r, const lmb_state *state, double at)
{
    static const char *const types[] = {"assembly", "kinematics", "inverse-dynamics",
                                        "dynamics", "statics",    "modes"};
    lmb_status status = r->writer ? LMB_OK : make_file(r);
    if (!status && !r->begun)
        status =
            lmb_writer_begin(r->writer, r->context, r->analysis->name, types[r->analysis->type],
                             lmb_channels_count(r->channels), lmb_channels_list(r->channels));
    r->begun = true;
    if (status)
        return status;
    const double *row = lmb_channels_row(r->channels, state);
    lmb_records_take(r->records, r->analysis, at, row);
    if ((status = keep_state(r, state)))
        return status;
    return lmb_writer_row(r->writer, r->context, at, row);
}

/* An analysis over time: its state, and how to move it on. */
typedef struct motion {
    lmb_kinematics *kinematics;
    lmb_dynamics *dynamics;
    const lmb_state *state;
} motion;

/* The state that an analysis begins from; NULL: out of memory. */
static lmb_state *initial_state(const run *r, const lmb_analysis *a)
{
    lmb_state *s = lmb_state_at(r->model, a->start);
    const lmb_state *kept = r->kept ? r->kept[a - r->model->analyses] : NULL;
    if (s && kept) {
        lmb_state_copy(s, kept);
        memset(s->work, 0, sizeof s->work);
        s->t = a->start;
    }
    if (s) {
        lmb_switch_absent(s, &a->without);
        s->records = lmb_records_tables(r->records);
    }
    return s;
}

/* An analysis that begins from another needs it to get that far; an event may have stopped it. */
static lmb_status check_kept(const run *r, const lmb_analysis *a)
{
    const lmb_model *m = r->model;
    if (a->from < 0 || r->kept[a - m->analyses])
        return LMB_OK;
    lmb_fail_at(r->context, a->place,
                "analysis '%s' begins at t = %g, but an event has stopped analysis '%s' before",
                a->name, a->start, m->analyses[a->from].name);
    lmb_hint(r->context, "give it an earlier 'start', or leave the event out there by 'without'");
    return LMB_BAD_INPUT;
}

static lmb_status start_motion(run *r, const lmb_analysis *a, motion *m)
{
    lmb_status status;
    lmb_state *initial = initial_state(r, a);
    if (!initial)
        return lmb_fail_memory(r->context);
    if (a->type == LMB_DYNAMICS) {
        status = lmb_dynamics_from(&m->dynamics, r->context, initial, &a->integration);
        if (!status) {
            m->state = m->dynamics->solver->state;
            m->dynamics->motion->finish = a->start + a->duration;
        }
    } else {
        status = lmb_kinematics_from(&m->kinematics, r->context, initial,
                                     a->type == LMB_INVERSE_DYNAMICS);
        m->state = status ? NULL : m->kinematics->solver->state;
    }
    lmb_state_free(initial);
    return status;
}

static lmb_status run_motion(run *r, const lmb_analysis *a)
{
    motion m = {0};
    lmb_status status = start_motion(r, a, &m);
    int count = lmb_instant_count(a);
    double last = a->start;
    bool stopped = false;
    if (!status)
        status = record(r, m.state, m.state->t);
    for (int i = 1; !status && i < count && !stopped; i++) {
        double t = lmb_instant(a, i);
        status = m.dynamics ? lmb_dynamics_advance(m.dynamics, t)
                            : lmb_kinematics_advance(m.kinematics, t);
        stopped = m.dynamics && !status && lmb_dynamics_stopped(m.dynamics);
        if (!status && m.state->t > last && !(status = record(r, m.state, m.state->t)))
            last = m.state->t;
        double done = stopped ? 1 : (double)i / (count - 1);
        if (!status && lmb_progress(r->context, a->name, done) && done < 1)
            status = lmb_fail(r->context, LMB_SOLVER, "interrupted at t = %g", t);
        if (status && status != LMB_IO)
            lmb_warn(r->context, "analysis '%s' stopped early: results up to t = %g are kept",
                     a->name, last);
    }
    lmb_kinematics_free(m.kinematics);
    lmb_dynamics_free(m.dynamics);
    return status;
}

/* The modes about a position of rest: in each row the bodies have the shape of a mode for their
 * velocities. */
static lmb_status record_modes(run *r, lmb_solver *s)
{
    lmb_mode_list list;
    size_t n = (size_t)r->model->nv;
    lmb_status status = lmb_find_modes(s, &list);
    if (!status && list.count == 0) {
        status = lmb_fail(r->context, LMB_SOLVER, "there are no modes: nothing is free to move");
        lmb_hint(r->context, "leave drivers out: 'without: [...]' in the analysis");
    }
    for (int i = 0; !status && i < list.count; i++) {
        memcpy(s->state->v, list.modes[i].shape, n * sizeof(double));
        lmb_update_velocity(s->state);
        lmb_channels_mode(r->channels, list.modes[i].frequency, list.modes[i].damping);
        status = record(r, s->state, i + 1);
    }
    lmb_mode_list_free(&list);
    return status;
}

/* One position: assembled, or at rest, and the modes about it. */
static lmb_status run_position(run *r, const lmb_analysis *a)
{
    lmb_solver *s;
    lmb_rank rank;
    lmb_state *initial = initial_state(r, a);
    lmb_status status =
        initial ? lmb_solver_new(&s, r->context, r->model) : lmb_fail_memory(r->context);
    if (status) {
        lmb_state_free(initial);
        return status;
    }
    lmb_state_copy(s->state, initial);
    lmb_set_time(s->state, initial->t);
    lmb_state_free(initial);
    status = lmb_assemble(s);
    if (!status && a->type >= LMB_STATICS && !(status = lmb_find_rank(s, &rank))) {
        status = lmb_rest(s);
        lmb_warn_redundant(s, &rank);
    }
    if (!status)
        status = a->type == LMB_MODES ? record_modes(r, s) : record(r, s->state, s->state->t);
    lmb_solver_free(s);
    return status;
}

/* Bodies without mass give no inertia forces: worth a word. */
static void warn_massless(const run *r)
{
    const lmb_model *m = r->model;
    for (int i = 1; i < m->body_count; i++)
        if (m->bodies[i].mass == 0) {
            lmb_warn(r->context, "body '%s' has no mass", m->bodies[i].name);
            lmb_hint(r->context, "give it a 'mass', or a 'shape' and a 'density'");
        }
}

static lmb_status run_analysis(run *r, const lmb_analysis *a)
{
    r->analysis = a;
    r->begun = false;
    lmb_status status = check_kept(r, a);
    if (status || (status = lmb_channels_new(&r->channels, r->context, r->model, a->type)))
        return status;
    if (a->type >= LMB_INVERSE_DYNAMICS)
        warn_massless(r);
    bool one = a->type == LMB_ASSEMBLY || a->type >= LMB_STATICS;
    status = one ? run_position(r, a) : run_motion(r, a);
    if (!status)
        status = lmb_records_complete(r->records, r->context, a);
    if (r->writer && r->begun) {
        lmb_status end = lmb_writer_end(r->writer, r->context);
        status = status ? status : end;
    }
    lmb_channels_free(r->channels);
    r->channels = NULL;
    return status;
}

static bool wanted(const char *const *names, const char *name)
{
    if (!names || !names[0])
        return true;
    for (int i = 0; names[i]; i++)
        if (strcmp(names[i], name) == 0)
            return true;
    return false;
}

/* All names asked for must exist. */
static lmb_status check_names(lmb_context *context, const lmb_model *m, const char *const *names)
{
    if (m->analysis_count == 0) {
        lmb_fail(context, LMB_BAD_INPUT, "%s has no analyses", m->file);
        lmb_hint(context, "add for example 'analyses: {turn: {type: kinematics, duration: 1}}'");
        return LMB_BAD_INPUT;
    }
    for (int i = 0; names && names[i]; i++) {
        lmb_nearest nearest = lmb_nearest_start(names[i]);
        bool known = false;
        for (int k = 0; k < m->analysis_count; k++) {
            lmb_nearest_try(&nearest, m->analyses[k].name);
            known = known || strcmp(m->analyses[k].name, names[i]) == 0;
        }
        if (!known) {
            lmb_fail(context, LMB_BAD_INPUT, "%s has no analysis '%s'", m->file, names[i]);
            lmb_nearest_hint(context, &nearest);
            return LMB_BAD_INPUT;
        }
    }
    return LMB_OK;
}

/* Says why an analysis cannot play a record back: it must be complete by then. */
static lmb_status fail_record(const run *r, const lmb_record *record, int analysis,
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
static lmb_status check_from(const run *r, int analysis, const char *const *names)
{
    const lmb_analysis *a = &r->model->analyses[analysis];
    const char *from = a->from < 0 ? NULL : r->model->analyses[a->from].name;
    if (!from || wanted(names, from))
        return LMB_OK;
    lmb_fail_at(r->context, a->place, "analysis '%s' begins from '%s', which must run as well",
                a->name, from);
    lmb_hint(r->context, "run all analyses, or add --analysis %s", from);
    return LMB_BAD_INPUT;
}

/* All records that an analysis plays back must come from analyses that run before it. */
static lmb_status check_records(const run *r, int analysis, const char *const *names)
{
    const lmb_model *m = r->model;
    lmb_status status = LMB_OK;
    if (m->record_count == 0)
        return LMB_OK;
    lmb_state *s = initial_state(r, &m->analyses[analysis]);
    if (!s)
        return lmb_fail_memory(r->context);
    for (int k = 0; k < m->record_count; k++) {
        const lmb_record *record = &m->records[k];
        if (record->source < analysis && wanted(names, m->analyses[record->source].name))
            continue;
        for (int i = 0; i < m->force_count; i++)
            if (!s->force_off[i] && m->forces[i].law && lmb_expr_plays(m->forces[i].law, k))
                status = fail_record(r, record, analysis, "force", m->forces[i].name);
        for (int i = 0; i < m->driver_count; i++)
            if (!s->row_off[m->drivers[i].row] &&
                lmb_expr_plays(m->laws[m->drivers[i].law].expression, k))
                status = fail_record(r, record, analysis, "driver", m->drivers[i].name);
    }
    lmb_state_free(s);
    return status;
}

lmb_status lmb_run(lmb_context *context, const lmb_model *model, const char *const *names,
                   const char *path)
{
    run r = {.context = context, .model = model, .path = path};
    lmb_status status = check_names(context, model, names);
    for (int i = 0; !status && i < model->analysis_count; i++)
        if (wanted(names, model->analyses[i].name) && !(status = check_from(&r, i, names)))
            status = check_records(&r, i, names);
    if (!status)
        status = lmb_records_new(&r.records, context, model);
    r.kept = calloc((size_t)model->analysis_count + 1, sizeof *r.kept);
    if (!status && !r.kept)
        status = lmb_fail_memory(context);
    for (int i = 0; !status && i < model->analysis_count; i++)
        if (wanted(names, model->analyses[i].name))
            status = run_analysis(&r, &model->analyses[i]);
    lmb_records_free(r.records);
    for (int i = 0; r.kept && i < model->analysis_count; i++)
        lmb_state_free(r.kept[i]);
    free(r.kept);
    lmb_status closed = r.writer ? lmb_writer_close(r.writer, context) : LMB_OK;
    return status ? status : closed;
}
