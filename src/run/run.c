/* Running the analyses of a model into a result file. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/mobility.h"
#include "channels/channels.h"
#include "analysis/analysis.h"
#include "base/text.h"
#include "result/write.h"
#include "run/description.h"
#include "run/initial_states.h"
#include "run/row_queue.h"
#include "run/run.h"
#include "limber/analysis.h"
#include "system/saddle.h"

typedef struct run {
    lmb_context *context;
    lmb_arena *arena; /* goes with the run */
    const lmb_model *model;
    const char *path;     /* of the result, or NULL */
    lmb_claim *claim;     /* on it */
    lmb_result **memory;  /* where the result goes without a file, or NULL */
    const char *analyses; /* the names of those that run, one a line */
    lmb_earlier earlier;  /* what the run goes on from; its result is NULL for nothing */
    lmb_records *records;
    lmb_writer *writer; /* made with the first result, so that a failed start leaves old ones */
    lmb_channels *channels;
    lmb_watch *watch;
    lmb_buckling *buckling;
    lmb_workers *workers; /* of the analysis */
    lmb_row_queue *queue; /* NULL: rows do not wait */
    const lmb_analysis *analysis;
    int number;               /* of the analysis in the run */
    bool begun;               /* the analysis has a result */
    bool weighed;             /* bodies without mass were reported */
    lmb_initial_states *kept; /* NULL: not open yet */

    /* the checkpoint: the motion at the last row, or the beginning of the analysis */
    lmb_dynamics *dynamics; /* NULL: the beginning */
    int instant;            /* the last one */
    size_t motion_count;    /* numbers of the motion */
    bool stopped;           /* an analysis ended early: what was saved before is what counts */

    lmb_run_summary summary;
    size_t messages; /* those of before the run */
} run;

/* The numbers of the kept states in a checkpoint at this analysis of the run. */
static size_t count_kept(const run *r, int number)
{
    lmb_pack pack = {.mode = LMB_PACK_COUNT};
    lmb_initial_states_pack(r->kept, number, &pack);
    return pack.count;
}

/* Whether the checkpoint has the motion, and not the beginning of the analysis alone. */
static bool has_motion(const run *r)
{
    return r->dynamics && lmb_writer_rows(r->writer) > 0;
}

static void pack_run(void *user, lmb_pack *pack)
{
    run *r = user;
    lmb_initial_states_pack(r->kept, r->number, pack);
    if (has_motion(r))
        lmb_dynamics_pack(r->dynamics, pack);
}

static bool save(void *user, lmb_checkpoint *out)
{
    run *r = user;
    bool motion = has_motion(r);
    *out = (lmb_checkpoint){.analysis = r->number,
                            .rows = motion ? lmb_writer_rows(r->writer) : 0,
                            .instant = motion ? r->instant : 0,
                            .count = count_kept(r, r->number) + (motion ? r->motion_count : 0),
                            .pack = pack_run,
                            .user = r};
    return !r->stopped;
}

/* Whether there is to be a result; else nothing is kept but what later analyses need. */
static bool writes(const run *r)
{
    return r->path || r->memory;
}

/* A result in memory has no checkpoints: it goes with the process. */
static lmb_status make_file(run *r)
{
    lmb_status status = lmb_writer_on(&r->writer, r->context, r->claim, r->earlier.result != NULL);
    if (status)
        return status;
    if (r->path)
        lmb_writer_on_save(r->writer, save, r);
    status = lmb_writer_flush(r->writer, r->context);
    return status ? status
                  : lmb_write_description(r->writer, r->context, r->arena, r->model, r->analyses);
}

/* Starts the results of the analysis. */
static lmb_status begin_results(run *r)
{
    lmb_status status = r->writer ? LMB_OK : make_file(r);
    if (!status && !r->begun)
        status = lmb_writer_begin(r->writer, r->context, r->analysis->name, r->analysis->kind->name,
                                  lmb_channels_count(r->channels), lmb_channels_list(r->channels));
    if (!status && !r->begun && r->analysis->kind->over)
        lmb_writer_over(r->writer, r->analysis->kind->over, "", r->analysis->kind->over_doc);
    r->begun = true;
    return status;
}

/* Stores a row that the record of the channels has. */
static lmb_status store_row(void *user, double t, const double *row)
{
    run *r = user;
    lmb_records_take(r->records, r->analysis, t, row);
    if (!writes(r))
        return LMB_OK;
    lmb_watch_row(r->watch, t, row);
    return lmb_writer_row(r->writer, r->context, t, lmb_channels_pack(r->channels, row));
}

static lmb_status keep_row(run *r, double t, const double *row)
{
    if (writes(r))
        lmb_channels_take(r->channels, r->context, t, row);
    return store_row(r, t, row);
}

static lmb_status empty_queue(run *r)
{
    return lmb_row_queue_empty(r->queue, r->context, r->writer, store_row, r);
}

/* Takes the stored numbers of an earlier run. What was not stored is 0 in the row: energies that
 * make no sense, so that only whole rows are watched. */
static lmb_status keep_earlier(void *user, double t, const double *stored)
{
    run *r = user;
    const double *row = lmb_channels_unpack(r->channels, stored);
    if (row == stored)
        return keep_row(r, t, row);
    lmb_records_take(r->records, r->analysis, t, row);
    lmb_channels_take(r->channels, r->context, t, row);
    return lmb_writer_row(r->writer, r->context, t, stored);
}

/* Stores the channels of a state: at its time, at the number of a mode, or at a load factor. */
static lmb_status record(void *user, const lmb_state *state, double at, const double *more)
{
    run *r = user;
    lmb_status status = writes(r) ? begin_results(r) : LMB_OK;
    if (more)
        lmb_channels_more(r->channels, more);
    if (status || (status = lmb_initial_states_keep(r->kept, r->context, r->analysis, state)))
        return status;
    const double *row = lmb_channels_row(r->channels, state);
    if (writes(r) && (status = lmb_buckling_take(r->buckling, r->context, state, at, row)))
        return status;
    if (!r->queue)
        return keep_row(r, at, row);
    return lmb_row_queue_add(r->queue, at, row) ? empty_queue(r) : LMB_OK;
}

/* The state that an analysis begins from; NULL: out of memory. */
static lmb_state *initial_state(const run *r, const lmb_analysis *a)
{
    lmb_state *s = lmb_state_at(r->model, a->start);
    const lmb_state *kept = lmb_initial_states_find(r->kept, a);
    if (s && kept) {
        lmb_state_copy(s, kept);
        memset(s->work, 0, sizeof s->work);
        s->t = a->start;
        s->placed = false;
    }
    if (s) {
        lmb_switch_absent(s, &a->without);
        s->records = lmb_records_tables(r->records);
        s->choice = (lmb_saddle_choice){a->solver ? a->solver->kinds : NULL, r->workers,
                                        !a->kind->timeless && a->integration.integrator->implicit};
    }
    return s;
}

/* An analysis that begins from another needs it to get that far; an event may have stopped it. */
static lmb_status check_kept(const run *r, const lmb_analysis *a)
{
    const lmb_model *m = r->model;
    if (a->from < 0 || lmb_initial_states_find(r->kept, a))
        return LMB_OK;
    lmb_fail_at(r->context, a->place,
                "analysis '%s' begins at t = %g, but an event has stopped analysis '%s' before",
                a->name, a->start, m->analyses[a->from].name);
    return lmb_hint(r->context,
                    "give it an earlier 'start', or leave the event out there by 'without'");
}

static lmb_status start_motion(run *r, const lmb_analysis *a, lmb_course *c)
{
    lmb_state *initial = initial_state(r, a);
    lmb_status status =
        initial ? a->kind->start(c, r->context, initial, a) : lmb_fail_memory(r->context);
    lmb_state_free(initial);
    return status;
}

/* --- going on from an earlier run ------------------------------------------------------------- */

/* Whether the analysis goes on from the middle of an earlier run. */
static bool goes_on(const run *r)
{
    const lmb_checkpoint *c = &r->earlier.checkpoint;
    return r->earlier.result && c->analysis == r->number && c->rows > 0;
}

/* Copies results of the earlier run: so many rows, or all for a number below 0. */
static lmb_status copy_rows(run *r, int rows)
{
    size_t width = 0;
    for (int i = 0; i < lmb_channels_count(r->channels); i++)
        width += (size_t)lmb_channels_list(r->channels)[i].size;
    lmb_status status = begin_results(r);
    size_t messages = lmb_message_count(r->context);
    if (status)
        return status;
    status = lmb_earlier_rows(&r->earlier, r->context, r->number, rows, width, keep_earlier, r);
    if (!status)
        lmb_messages_forget(r->context, messages); /* the earlier run has shown them */
    return status;
}

/* All of the earlier run is in the new file, which takes its place. */
static lmb_status take_over(run *r)
{
    lmb_status status = lmb_writer_appear(r->writer, r->context);
    if (!status)
        lmb_earlier_close(&r->earlier);
    return status;
}

/* From now on the motion can be saved, unless its integrator must start again. */
static void save_motion(run *r, lmb_dynamics *d)
{
    lmb_pack pack = {.mode = LMB_PACK_COUNT};
    if (!d || d->motion->options.integrator->starts_again)
        return;
    lmb_dynamics_pack(d, &pack);
    r->motion_count = pack.count;
    r->dynamics = d;
}

/* What the checkpoint of the earlier run says does not fit: it must have been changed. */
static lmb_status fail_fit(const run *r)
{
    return lmb_fail(r->context, LMB_BAD_INPUT, "the checkpoint of '%s' does not fit the model",
                    r->earlier.path);
}

static lmb_status go_on(run *r, lmb_dynamics *d)
{
    const lmb_checkpoint *c = &r->earlier.checkpoint;
    size_t kept_count = count_kept(r, r->number);
    if (!r->dynamics || c->count != kept_count + r->motion_count ||
        c->instant >= lmb_instant_count(r->analysis) || c->rows - 1 > c->instant)
        return fail_fit(r);
    r->dynamics = NULL; /* not yet at the last row */
    lmb_status status = copy_rows(r, c->rows);
    if (status)
        return status;
    lmb_pack pack = {.mode = LMB_PACK_RESTORE, .numbers = c->numbers, .count = kept_count};
    lmb_dynamics_pack(d, &pack);
    r->dynamics = d;
    r->instant = c->instant;
    status = pack.bad ? fail_fit(r) : lmb_writer_flush(r->writer, r->context);
    return status ? status : take_over(r);
}

/* Stores the channels of a motion at its present instant. */
static lmb_status record_motion(run *r, const lmb_course *c)
{
    lmb_watch_state(r->watch, c->state, c->dynamics ? c->dynamics->motion : NULL);
    return record(r, c->state, c->state->t, NULL);
}

/* The first row, or those that an earlier run has left. */
static lmb_status first_rows(run *r, const lmb_course *c)
{
    r->instant = 0;
    save_motion(r, c->dynamics);
    return goes_on(r) ? go_on(r, c->dynamics) : record_motion(r, c);
}

/* Somebody wants the run to stop; what it has is saved. */
static lmb_status interrupt(run *r, double t)
{
    lmb_status status = writes(r) ? empty_queue(r) : LMB_OK;
    if (!status && writes(r))
        status = lmb_writer_flush(r->writer, r->context);
    if (status)
        return status;
    if (!r->path)
        return lmb_fail(r->context, LMB_SOLVER, "interrupted at t = %g", t);
    lmb_fail(r->context, LMB_SOLVER, "interrupted at t = %g", t);
    return lmb_hint(r->context, "the same command with --resume goes on from %s",
                    r->dynamics ? "there" : "the beginning of this analysis");
}

static lmb_status run_motion(run *r, const lmb_analysis *a)
{
    lmb_course c = {0};
    size_t messages = lmb_message_count(r->context);
    lmb_status status = start_motion(r, a, &c);
    if (!status && goes_on(r))
        lmb_messages_forget(r->context, messages); /* the earlier run has shown them */
    if (c.counts)
        lmb_summary_counts(&r->summary, c.counts);
    if (!status)
        status = first_rows(r, &c);
    r->queue = writes(r) ? lmb_row_queue_new(r->arena, r->channels, r->workers) : NULL;
    int count = lmb_instant_count(a);
    double last = status ? a->start : c.state->t;
    bool stopped = !status && lmb_course_stopped(&c);
    for (int i = r->instant + 1; !status && i < count && !stopped; i++) {
        double t = lmb_instant(a, i);
        status = lmb_course_advance(&c, t);
        r->instant = i;
        stopped = !status && lmb_course_stopped(&c);
        if (!status && c.state->t > last && !(status = record_motion(r, &c)))
            last = c.state->t;
        double done = stopped ? 1 : (double)i / (count - 1);
        if (!status && lmb_progress(r->context, a->name, done) && done < 1)
            status = interrupt(r, t);
        if (status && status != LMB_IO && writes(r))
            lmb_warn(r->context, "analysis '%s' stopped early: results up to t = %g are kept",
                     a->name, last);
    }
    lmb_status last_rows = lmb_row_queue_end(r->queue, r->context, r->writer, store_row, r);
    status = status ? status : last_rows;
    r->queue = NULL;
    r->dynamics = NULL;
    lmb_watch_end(r->watch);
    if (c.dynamics)
        lmb_summary_motion(&r->summary, c.dynamics->motion);
    lmb_course_free(&c);
    return status;
}

/* One position: assembled, or at rest, and the modes about it. */
static lmb_status run_position(run *r, const lmb_analysis *a)
{
    lmb_solver *s;
    lmb_rank rank;
    lmb_state *initial = initial_state(r, a);
    lmb_status status =
        initial ? lmb_solver_for(&s, r->context, initial) : lmb_fail_memory(r->context);
    if (status) {
        lmb_state_free(initial);
        return status;
    }
    lmb_state_copy(s->state, initial);
    lmb_set_time(s->state, initial->t);
    lmb_state_free(initial);
    status = lmb_assemble(s);
    if (!status && a->kind->solve && !(status = lmb_find_rank(s, &rank))) {
        lmb_summary_counts(&r->summary, &rank.counts);
        status = a->kind->solve(s, a);
        lmb_warn_redundant(s, &rank);
    }
    if (!status)
        status =
            a->kind->rows ? a->kind->rows(s, a, record, r) : record(r, s->state, s->state->t, NULL);
    lmb_watch_end(r->watch);
    lmb_solver_free(s);
    return status;
}

/* Bodies without mass give no inertia forces: worth a word, unless that was asked for. */
static void warn_massless(run *r)
{
    const lmb_model *m = r->model;
    for (int i = 1; i < m->body_count && !r->weighed; i++) {
        const lmb_body *b = &m->bodies[i];
        if (b->mass != 0 || b->massless)
            continue;
        lmb_warn_at(r->context, b->place, "body '%s' has no mass: neither weight nor inertia",
                    b->name);
        lmb_hint(r->context, "give it a 'mass', or a 'shape' and a 'density'; 'mass: 0' says that "
                             "it is to have none");
    }
    r->weighed = true;
}

static lmb_status run_analysis(run *r, const lmb_analysis *a)
{
    r->analysis = a;
    r->begun = false;
    bool done = r->earlier.result && r->number < r->earlier.checkpoint.analysis;
    lmb_status status = done ? LMB_OK : check_kept(r, a);
    if (status || (status = lmb_channels_new(&r->channels, r->context, r->model, a->kind->known)) ||
        (status = lmb_channels_select(r->channels, r->context, a)) ||
        (status = lmb_watch_new(&r->watch, r->context, r->arena, r->model, a, r->channels)))
        return status;
    if (!(r->buckling = lmb_buckling_new(r->arena, lmb_channels_record(r->channels))))
        return lmb_fail_memory(r->context);
    lmb_channels_limit(r->channels, lmb_run_span(r->model, a));
    if ((a->kind->known & LMB_KNOWN_REACTIONS) && !done && !goes_on(r))
        warn_massless(r);
    lmb_summary_begin(&r->summary, a);
    r->workers = lmb_workers_new(a->threads);
    lmb_channels_share(r->channels, r->workers);
    status = done ? copy_rows(r, -1) : a->kind->timeless ? run_position(r, a) : run_motion(r, a);
    lmb_summary_end(&r->summary, r->begun && r->writer ? lmb_writer_rows(r->writer) : 0);
    if (!status)
        status = lmb_records_complete(r->records, r->context, a);
    r->stopped = status != LMB_OK;
    r->number++;
    if (r->writer && r->begun) {
        lmb_status end = lmb_writer_end(r->writer, r->context);
        if (!end &&
            !(end = lmb_write_record(r->writer, r->context, lmb_channels_record(r->channels))))
            end =
                lmb_write_line_record(r->writer, r->context, lmb_channels_line_record(r->channels));
        status = status ? status : end;
    }
    lmb_run_record_finish(lmb_channels_record(r->channels), r->context);
    lmb_channels_free(r->channels);
    r->channels = NULL;
    lmb_workers_free(r->workers);
    r->workers = NULL;
    lmb_initial_states_drop(r->kept, a);
    return status;
}

/* Makes room for the states that analyses begin from, and takes those that an earlier run has. */
static lmb_status open_kept(run *r, const char *const *names)
{
    const lmb_checkpoint *c = &r->earlier.checkpoint;
    lmb_pack pack = {.mode = LMB_PACK_RESTORE, .numbers = c->numbers};
    lmb_status status = lmb_initial_states_new(&r->kept, r->context, r->arena, r->model, names);
    if (status || !r->earlier.result)
        return status;
    if (c->count < count_kept(r, c->analysis))
        return fail_fit(r);
    return lmb_initial_states_pack(r->kept, c->analysis, &pack) ? LMB_OK
                                                                : lmb_fail_memory(r->context);
}

/* Keeps what the run has to say about itself, if there are results. */
static lmb_status write_summary(run *r)
{
    if (!r->writer)
        return LMB_OK;
    char *text = lmb_summary_text(&r->summary, r->context, r->messages);
    lmb_status status = text ? lmb_writer_text(r->writer, r->context, "summary", text)
                             : lmb_fail_memory(r->context);
    free(text);
    return status;
}

static lmb_status run_all(run *r, const char *const *names)
{
    const lmb_model *m = r->model;
    r->messages = lmb_message_count(r->context);
    lmb_status status = lmb_records_new(&r->records, r->context, r->arena, m);
    if (!status)
        status = open_kept(r, names);
    if (!status && r->earlier.result)
        status = make_file(r);
    for (int i = 0; !status && i < m->analysis_count; i++) {
        const lmb_checkpoint *c = &r->earlier.checkpoint;
        if (!lmb_run_wants(names, m->analyses[i].name))
            continue;
        if (r->earlier.result && r->number == c->analysis && c->rows == 0)
            status = take_over(r);
        if (!status)
            status = run_analysis(r, &m->analyses[i]);
    }
    if (!status && r->earlier.result)
        status = take_over(r);
    lmb_status summed = write_summary(r);
    status = lmb_final_status(r->context, status ? status : summed);
    if (!status)
        status = lmb_writer_complete(r->writer, r->context);
    lmb_status closed = r->memory ? lmb_writer_result(r->writer, r->context, r->memory)
                                  : lmb_writer_close(r->writer, r->context);
    lmb_initial_states_free(r->kept);
    lmb_summary_free(&r->summary);
    return status ? status : closed;
}

/* List the analyses of the run, one a line. */
static const char *list_analyses(lmb_arena *arena, const lmb_model *m, const char *const *names)
{
    size_t size = 1, length = 0;
    for (int i = 0; i < m->analysis_count; i++)
        size += strlen(m->analyses[i].name) + 1;
    char *list = lmb_arena_alloc(arena, size, 1);
    for (int i = 0; list && i < m->analysis_count; i++)
        if (lmb_run_wants(names, m->analyses[i].name))
            length +=
                (size_t)lmb_snprintf(list + length, size - length, "%s\n", m->analyses[i].name);
    return list;
}

/* Checks what is asked for and lists the analyses; the arena is the caller's to free. */
static lmb_status start_run(run *r, const char *const *names)
{
    lmb_status status = lmb_run_check(r->context, r->model, names);
    r->arena = lmb_arena_new();
    r->analyses = list_analyses(r->arena, r->model, names);
    return status ? status : lmb_check_memory(r->context, r->arena);
}

static lmb_status run_new(run r, const char *const *names)
{
    lmb_status status = start_run(&r, names);
    if (!status && r.path && !(status = lmb_check_replaceable(r.context, r.path)))
        status = lmb_claim_take(&r.claim, r.context, r.path);
    if (!status)
        status = run_all(&r, names);
    lmb_claim_drop(r.claim);
    lmb_arena_free(r.arena);
    return status;
}

lmb_status lmb_run(lmb_context *context, const lmb_model *model, const char *const *names,
                   const char *result_path)
{
    LMB_REQUIRE(context, model, result_path);
    return run_new((run){.context = context, .model = model, .path = result_path}, names);
}

lmb_status lmb_run_to_memory(lmb_result **out, lmb_context *context, const lmb_model *model,
                             const char *const *names)
{
    LMB_REQUIRE_OUT(context, out, model);
    return run_new((run){.context = context, .model = model, .memory = out}, names);
}

lmb_status lmb_run_initial(lmb_context *context, lmb_arena *arena, const lmb_model *m, int analysis,
                           lmb_state **out)
{
    run r = {.context = context, .model = m, .arena = arena};
    bool *needed = lmb_arena_alloc(arena, (size_t)m->analysis_count + 1, sizeof *needed);
    *out = NULL;
    lmb_status status =
        needed ? lmb_run_needs(context, m, analysis, needed) : lmb_fail_memory(context);
    if (!status && !(status = lmb_records_new(&r.records, context, arena, m)))
        status = open_kept(&r, NULL);
    for (int i = 0; i < analysis && !status; i++)
        if (needed[i])
            status = run_analysis(&r, &m->analyses[i]);
    if (!status && !(status = check_kept(&r, &m->analyses[analysis])) &&
        !(*out = initial_state(&r, &m->analyses[analysis])))
        status = lmb_fail_memory(context);
    lmb_initial_states_free(r.kept);
    lmb_summary_free(&r.summary);
    return status;
}

lmb_status lmb_resume(lmb_context *context, const lmb_model *model, const char *const *names,
                      const char *result_path, bool *complete)
{
    LMB_REQUIRE(context, model, result_path, complete);
    run r = {.context = context, .model = model, .path = result_path};
    *complete = false;
    lmb_status status = start_run(&r, names);
    if (!status)
        status = lmb_claim_take(&r.claim, context, r.path);
    if (!status)
        status = lmb_earlier_open(&r.earlier, context, r.arena, model, r.analyses, r.path);
    if (!status) {
        *complete = r.earlier.complete;
        status = *complete ? LMB_OK : run_all(&r, names);
        lmb_earlier_close(&r.earlier);
    }
    lmb_claim_drop(r.claim); /* with a file that has not come to take over */
    lmb_arena_free(r.arena);
    return status;
}
