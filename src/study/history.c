/* The file of a study. */
#include "study/history.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "base/memory.h"
#include "base/text.h"
#include "model/fields.h"
#include "read/reader.h"
#include "run/run.h"

struct lmb_history {
    lmb_arena *arena;
    lmb_context *context;
    lmb_writer *writer;
    lmb_trials *trials;
    const lmb_history_request *request;
    lmb_claim *claim; /* on its file */
    int n, slopes, objectives;
    lmb_channel *channels;
    int channel_count;
    double *row, *x;
    int rows;
    char *failures; /* the lines so far */
    size_t failures_size, failures_room;
    struct timespec told; /* when they were written last */
};

/* --- rows ------------------------------------------------------------------------------------- */

static void add_channel(lmb_history *h, const char *name, const char *doc)
{
    h->channels[h->channel_count++] = (lmb_channel){name, "", doc, 1, ""};
}

/* The name of an objective as a channel: expressions have none of their own. */
static const char *channel_name(lmb_history *h, int i)
{
    const char *name = h->request->trials->objectives[i];
    bool plain = name[strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                   "0123456789_-")] == 0;
    return plain ? name : lmb_text_format(h->arena, "objective%d", i + 1);
}

static lmb_status list_channels(lmb_history *h)
{
    const lmb_trials_request *q = h->request->trials;
    size_t count = 2 + (size_t)h->n + (size_t)h->objectives * (1 + (size_t)h->slopes);
    h->channels = lmb_arena_alloc(h->arena, count, sizeof *h->channels);
    h->row = lmb_arena_numbers(h->arena, count);
    h->x = lmb_arena_numbers(h->arena, (size_t)h->n);
    if (!lmb_arena_fine(h->arena))
        return lmb_fail_memory(h->context);
    add_channel(h, "search", "The search, or the sample, that the trial belongs to.");
    for (int i = 0; i < h->n; i++)
        add_channel(h, lmb_text_format(h->arena, "design.%s", q->variables[i]),
                    "The value of a parameter.");
    add_channel(h, "failed", "1 where the model could not be run.");
    for (int i = 0; i < h->objectives; i++)
        add_channel(h, channel_name(h, i), "An objective.");
    for (int i = 0; i < h->objectives; i++)
        for (int k = 0; k < h->slopes; k++)
            add_channel(h, lmb_text_format(h->arena, "%s.by.%s", channel_name(h, i), q->slopes[k]),
                        "Its derivative by a parameter.");
    return lmb_check_memory(h->context, h->arena);
}

static lmb_status write_failures(lmb_history *h)
{
    clock_gettime(CLOCK_MONOTONIC, &h->told);
    return lmb_writer_text(h->writer, h->context, "failures", h->failures);
}

static lmb_status add_failure(lmb_history *h, int number, const char *failure)
{
    size_t needed = h->failures_size + strlen(failure) + 32;
    if (needed > h->failures_room) {
        char *more = lmb_realloc(h->failures, 2 * needed);
        if (!more)
            return lmb_fail_memory(h->context);
        h->failures = more;
        h->failures_room = 2 * needed;
    }
    h->failures_size +=
        (size_t)lmb_snprintf(h->failures + h->failures_size, h->failures_room - h->failures_size,
                             "%d %s\n", number, failure);
    return lmb_seconds_since(h->told) > 2 ? write_failures(h) : LMB_OK;
}

/* Writes a trial as row `number`, from 1. */
static lmb_status write_row(lmb_history *h, const lmb_trial *t, int number, int search)
{
    double *row = h->row;
    *row++ = search;
    for (int i = 0; i < h->n; i++)
        *row++ = t->x[i];
    *row++ = t->failure != NULL;
    for (int i = 0; i < h->objectives; i++)
        *row++ = t->values[i];
    for (int i = 0; i < h->objectives * h->slopes; i++)
        *row++ = t->derivatives ? t->derivatives[i] : NAN;
    lmb_status status = t->failure ? add_failure(h, number, t->failure) : LMB_OK;
    h->rows++;
    return status ? status : lmb_writer_row(h->writer, h->context, number, h->row);
}

static lmb_status take(void *user, const lmb_trial *t)
{
    return write_row(user, t, t->number, t->search);
}

int lmb_history_rows(const lmb_history *h)
{
    return h ? h->rows : 0;
}

lmb_status lmb_history_write(lmb_history *h, const lmb_trial *t)
{
    return h ? write_row(h, t, h->rows + 1, h->rows) : LMB_OK;
}

/* --- earlier ---------------------------------------------------------------------------------- */

/* The message of a trial that failed. */
static const char *failure_of(lmb_arena *arena, const char *lines, int number)
{
    for (const char *line = lines; line && *line;) {
        size_t length = strcspn(line, "\n");
        char *end;
        if (strtol(line, &end, 10) == number && *end == ' ')
            return lmb_text_copy(arena, end + 1, length - (size_t)(end + 1 - line));
        line += length + (line[length] != 0);
    }
    return "the run failed";
}

static lmb_status differs(const lmb_history *h, const char *what)
{
    lmb_fail(h->context, LMB_BAD_INPUT, "'%s' is not of this study: %s", h->request->path, what);
    return lmb_hint(h->context, "undo the change, or begin anew without --resume");
}

/* Whether a file is of this study. Its options may have changed. */
static lmb_status check_same(lmb_history *h, lmb_result *r)
{
    const lmb_model *m = h->request->model;
    const char *text = lmb_result_text(r, "model"), *study = lmb_result_text(r, "study");
    if (!text || !study)
        return differs(h, "it is the result of something else");
    if (strcmp(study, h->request->study->name) != 0)
        return differs(h, lmb_text_format(h->arena, "it is of '%s'", study));
    lmb_spec *then = NULL, *now = NULL;
    lmb_status status = lmb_spec_parse(&then, h->context, m->file, text);
    if (!status)
        status = lmb_spec_parse(&now, h->context, m->file, m->text);
    if (!status && !lmb_tree_equal(then->root, now->root, "studies"))
        status = differs(h, "the model was different then");
    lmb_spec_free(then);
    lmb_spec_free(now);
    if (!status)
        status = lmb_earlier_parameters(h->context, h->arena, r, m);
    if (status || lmb_result_analysis_count(r) == 0)
        return status;
    bool same = lmb_result_channel_count(r, 0) == h->channel_count;
    for (int i = 0; same && i < h->channel_count; i++)
        same = strcmp(lmb_result_channel(r, 0, i)->name, h->channels[i].name) == 0;
    return same ? LMB_OK : differs(h, "it has other variables or objectives");
}

static lmb_status read_trials(lmb_history *h, lmb_result *r)
{
    int rows = lmb_result_analysis_count(r) ? lmb_result_row_count(r, 0) : 0;
    size_t width = (size_t)h->channel_count + 1;
    double *values = lmb_malloc(((size_t)rows * width + 1) * sizeof *values);
    const char *failures = lmb_result_text(r, "failures");
    lmb_status status = values ? LMB_OK : lmb_fail_memory(h->context);
    if (!status && rows > 0)
        status = lmb_result_rows(r, h->context, 0, 0, rows, values);
    for (int i = 0; i < rows && !status; i++) {
        const double *row = values + (size_t)i * width, *x = row + 2, *of = x + h->n + 1;
        const double *slopes = of + h->objectives;
        bool failed = x[h->n] != 0;
        bool known = h->slopes > 0 && !failed;
        for (int k = 0; k < h->objectives * h->slopes; k++)
            known = known && isfinite(slopes[k]);
        const lmb_trial *t = lmb_trials_add(
            h->trials, x, of, known ? slopes : NULL,
            failed ? failure_of(h->arena, failures, (int)row[0]) : NULL, (int)row[1]);
        if (!t)
            status = lmb_fail_memory(h->context);
    }
    free(values);
    return status;
}

static lmb_status read_earlier(lmb_history *h)
{
    lmb_result *r;
    const char *path = h->request->path;
    lmb_h5_recover(path);
    lmb_status status = lmb_result_open(&r, h->context, path);
    if (status) {
        lmb_hint(h->context, "without --resume the study begins anew; -o tells where its file is");
        return status;
    }
    status = check_same(h, r);
    if (!status)
        status = read_trials(h, r);
    lmb_result_close(r);
    return status;
}

/* --- opening and closing ---------------------------------------------------------------------- */

static lmb_status write_texts(lmb_history *h)
{
    const lmb_model *m = h->request->model;
    const char *parameters = lmb_parameter_text(h->arena, m);
    if (!parameters)
        return lmb_fail_memory(h->context);
    const char *const texts[][2] = {{"model", m->text},
                                    {"title", m->title},
                                    {"parameters", parameters},
                                    {"study", h->request->study->name}};
    lmb_status status = LMB_OK;
    for (size_t i = 0; i < sizeof texts / sizeof *texts && !status; i++)
        status = lmb_writer_text(h->writer, h->context, texts[i][0], texts[i][1]);
    return status;
}

/* Whether a trial is what the next row of an ordered history is to be. */
static bool is_expected(const lmb_history *h, const lmb_trial *t)
{
    h->request->expected(h->request->user, h->rows, h->x);
    return memcmp(h->x, t->x, (size_t)h->n * sizeof *h->x) == 0;
}

static lmb_status create(lmb_history *h)
{
    const lmb_study *s = h->request->study;
    lmb_status status = lmb_writer_on(&h->writer, h->context, h->claim, h->request->resume);
    if (!status)
        status = write_texts(h);
    if (!status)
        status = lmb_writer_begin(h->writer, h->context, s->name, lmb_study_types[s->kind].name,
                                  h->channel_count, h->channels);
    if (status)
        return status;
    lmb_writer_over(h->writer, "trial", "", "The number of a run of the model.");
    for (int i = 0; i < lmb_trials_count(h->trials) && !status; i++) {
        const lmb_trial *t = lmb_trials_at(h->trials, i);
        if (!h->request->expected)
            status = take(h, t);
        else if (is_expected(h, t))
            status = lmb_history_write(h, t);
        else
            break; /* what comes later is found again, and written in its place */
    }
    if (!status && h->failures)
        status = write_failures(h);
    if (!status)
        status = lmb_writer_flush(h->writer, h->context);
    if (!status && h->request->resume)
        status = lmb_writer_appear(h->writer, h->context);
    return status;
}

lmb_status lmb_history_open(lmb_history **out, lmb_context *context, lmb_trials *trials,
                            const lmb_history_request *request)
{
    lmb_arena *arena;
    lmb_history *h = lmb_arena_object(&arena, sizeof *h);
    *out = NULL;
    if (!h)
        return lmb_fail_memory(context);
    h->arena = arena;
    h->context = context;
    h->trials = trials;
    h->request = request;
    h->n = request->trials->variable_count;
    h->slopes = request->trials->slope_count;
    h->objectives = request->trials->objective_count;
    lmb_status status = list_channels(h);
    if (!status)
        status = lmb_claim_take(&h->claim, context, request->path);
    if (!status && request->resume)
        status = read_earlier(h);
    if (!status)
        status = create(h);
    if (status) {
        lmb_history_close(h, false);
        return status;
    }
    if (!request->expected)
        lmb_trials_on_end(trials, take, h);
    *out = h;
    return LMB_OK;
}

lmb_status lmb_history_text(lmb_history *h, const char *name, const char *text)
{
    return h ? lmb_writer_text(h->writer, h->context, name, text) : LMB_OK;
}

lmb_status lmb_history_close(lmb_history *h, bool complete)
{
    if (!h)
        return LMB_OK;
    lmb_status status = LMB_OK;
    if (h->writer && h->failures)
        status = write_failures(h);
    if (!status && h->writer && complete)
        status = lmb_writer_text(h->writer, h->context, "complete", "yes");
    lmb_status closed = lmb_writer_close(h->writer, h->context);
    lmb_claim_drop(h->claim);
    free(h->failures);
    lmb_arena_free(h->arena);
    return status ? status : closed;
}

bool lmb_history_is_complete(lmb_result *r)
{
    return lmb_result_text(r, "complete") != NULL;
}

/* --- results inside --------------------------------------------------------------------------- */

typedef struct embedded {
    const char *name;
    char *bytes; /* a multiple of four */
    size_t size; /* of the file */
} embedded;

static bool put_embedded(void *user, hid_t group)
{
    const embedded *e = user;
    size_t words = (e->size + 3) / 4, one = 1;
    int size = (int)e->size;
    char name[64];
    lmb_snprintf(name, sizeof name, "%s_size", e->name);
    return lmb_h5_write(group, e->name, LMB_H5_INT, 1, &words, e->bytes) &&
           lmb_h5_write(group, name, LMB_H5_INT, 1, &one, &size);
}

lmb_status lmb_history_embed(lmb_history *h, const char *name, const lmb_result *run)
{
    const size_t most = 1u << 30;
    embedded e = {.name = name};
    if (!h)
        return LMB_OK;
    const void *bytes = lmb_result_image(run, &e.size);
    if (e.size > most) {
        lmb_warn(h->context, "the result '%s' is too large to be kept with the study", name);
        return LMB_OK;
    }
    e.bytes = lmb_calloc(e.size + 4, 1);
    if (!e.bytes)
        return lmb_fail_memory(h->context);
    memcpy(e.bytes, bytes, e.size);
    lmb_status status = lmb_writer_add(h->writer, h->context, "embedded", put_embedded, &e);
    free(e.bytes);
    return status;
}

lmb_status lmb_history_extract(lmb_result **out, lmb_context *context, lmb_result *result,
                               const char *name)
{
    char set[80], size_set[88];
    size_t words = 0, one = 1;
    int size = 0;
    *out = NULL;
    lmb_snprintf(set, sizeof set, "embedded/%s", name);
    lmb_snprintf(size_set, sizeof size_set, "embedded/%s_size", name);
    hid_t file = lmb_result_file(result);
    if (H5Lexists(file, "embedded", H5P_DEFAULT) <= 0 || !lmb_h5_dims(file, set, 1, &words) ||
        words == 0 || !lmb_h5_read(file, size_set, LMB_H5_INT, 1, &one, &size))
        return LMB_OK;
    unsigned char *bytes = size > 0 && (size_t)size <= 4 * words ? lmb_malloc(4 * words) : NULL;
    if (!bytes || !lmb_h5_read(file, set, LMB_H5_INT, 1, &words, bytes)) {
        free(bytes);
        return lmb_fail(context, LMB_BAD_INPUT, "'%s' is damaged: its result '%s' cannot be read",
                        lmb_result_path(result), name);
    }
    return lmb_result_adopt(out, context, bytes, (size_t)size);
}
