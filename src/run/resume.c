/* Going on from the result of an earlier run: is it one of the same run, and what is in it? */
#include "run/run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"

enum { MOST_ROWS = 1024, MOST_NUMBERS = 1024 * 1024 }; /* read at once */

/* --- what a run is of ------------------------------------------------------------------------- */

/* A line of the parameters; of a table a hash of its points, which may have come from another file.
 */
static void add_line(FILE *out, const lmb_constant *c)
{
    const double *v = c->symbol.value, *x, *y;
    lmb_fprintf(out, "%s = ", c->name);
    if (c->symbol.kind == LMB_SYMBOL_TABLE) {
        size_t size = (size_t)lmb_table_points(c->symbol.table, &x, &y) * sizeof(double);
        unsigned long long hash = lmb_h5_hash(lmb_h5_hash(0, x, size), y, size);
        lmb_fprintf(out, "table %016llx\n", hash);
        return;
    }
    for (int i = 0; i < c->symbol.size; i++)
        lmb_fprintf(out, "%s%.17g", i ? ", " : c->symbol.size > 1 ? "[" : "", v[i]);
    lmb_fprintf(out, c->symbol.size > 1 ? "]\n" : "\n");
}

char *lmb_parameter_text(lmb_arena *arena, const lmb_model *m)
{
    char *text = NULL, *copy = NULL;
    size_t size;
    FILE *out = lmb_text_open(&text, &size);
    for (int i = 0; out && i < m->constant_count; i++)
        add_line(out, &m->constants[i]);
    if (lmb_text_close(out))
        copy = lmb_text_copy(arena, text, size);
    free(text);
    return copy;
}

/* --- is it the same run? ---------------------------------------------------------------------- */

typedef struct check {
    lmb_context *context;
    lmb_result *result;
    lmb_arena *arena;
} check;

static lmb_status differs(const check *c, const char *what)
{
    lmb_hint(c->context, "%s, or run the model again without --resume", what);
    return LMB_BAD_INPUT;
}

static lmb_status check_version(const check *c)
{
    const char *version = lmb_result_text(c->result, "version");
    if (version && strcmp(version, lmb_version()) == 0)
        return LMB_OK;
    lmb_fail(c->context, LMB_BAD_INPUT, "'%s' was written by Limber %s, and this is Limber %s",
             lmb_result_path(c->result), version ? version : "of another version", lmb_version());
    return differs(c, "go on with the same version");
}

/* Moves both texts to the first line that differs; returns its number, 0 for none. */
static int different_line(const char **a, const char **b)
{
    int line = 1;
    while (**a || **b) {
        size_t length = strcspn(*a, "\n");
        if (strcspn(*b, "\n") != length || memcmp(*a, *b, length) != 0 ||
            (*a)[length] != (*b)[length])
            return line;
        *a += length + ((*a)[length] != 0);
        *b += length + ((*b)[length] != 0);
        line++;
    }
    return 0;
}

static lmb_status check_model(const check *c, const lmb_model *m)
{
    const char *then = lmb_result_text(c->result, "model"), *now = m->text;
    int line = then ? different_line(&then, &now) : 1;
    if (line == 0)
        return LMB_OK;
    lmb_fail(c->context, LMB_BAD_INPUT,
             "'%s' is not of this model: %s was different then, from line %d on",
             lmb_result_path(c->result), m->file, line);
    return differs(c, "undo the change");
}

static lmb_status check_parameters(const check *c, const lmb_model *m)
{
    const char *then = lmb_result_text(c->result, "parameters");
    const char *now = lmb_parameter_text(c->arena, m);
    if (!now)
        return lmb_fail_memory(c->context);
    then = then ? then : "";
    if (different_line(&then, &now) == 0)
        return LMB_OK;
    int size = (int)strcspn(then, "\n");
    const char *table = strstr(then, " = table ");
    if (table && table - then < size) {
        lmb_fail(c->context, LMB_BAD_INPUT, "'%s' is of a run in which table '%.*s' was different",
                 lmb_result_path(c->result), (int)(table - then), then);
        return differs(c, "undo the change");
    }
    lmb_fail(c->context, LMB_BAD_INPUT, "'%s' is of a run with other parameters: %.*s",
             lmb_result_path(c->result), size, then);
    return differs(c, "give the same --set options");
}

lmb_status lmb_earlier_parameters(lmb_context *context, lmb_arena *arena, lmb_result *result,
                                  const lmb_model *model)
{
    check c = {context, result, arena};
    lmb_status status = check_version(&c);
    return status ? status : check_parameters(&c, model);
}

/* The lines of a text as a list for a message. */
static const char *list_of(const check *c, const char *lines)
{
    char *list = lmb_text_copy(c->arena, lines, strlen(lines));
    for (char *end = list; end && (end = strchr(end, '\n'));)
        *end = end[1] ? ' ' : 0;
    return list ? list : "";
}

static lmb_status check_analyses(const check *c, const char *now)
{
    const char *then = lmb_result_text(c->result, "analyses");
    if (then && strcmp(then, now) == 0)
        return LMB_OK;
    lmb_fail(c->context, LMB_BAD_INPUT, "'%s' is of a run of other analyses: %s",
             lmb_result_path(c->result), list_of(c, then ? then : "unknown"));
    return differs(c, "give the same --analysis options");
}

/* --- opening ---------------------------------------------------------------------------------- */

/* A run that was killed while it made its file has no checkpoint, and not all analyses. */
static lmb_status check_checkpoint(const check *c, lmb_earlier *e, const char *analyses)
{
    int count = 0;
    for (const char *end = analyses; (end = strchr(end, '\n')); end++)
        count++;
    lmb_found found = lmb_checkpoint_read(lmb_result_file(e->result), &e->checkpoint);
    int begun = lmb_result_analysis_count(e->result), under_way = e->checkpoint.analysis;
    e->complete = found == LMB_FOUND_NONE && begun == count;
    if (found == LMB_FOUND_NO_MEMORY)
        return lmb_fail_memory(c->context);
    if (e->complete ||
        (found == LMB_FOUND && under_way <= count && begun >= under_way + (e->checkpoint.rows > 0)))
        return LMB_OK;
    lmb_fail(c->context, LMB_BAD_INPUT, "'%s' has no checkpoint to go on from",
             lmb_result_path(c->result));
    return lmb_hint(c->context, "run the model again without --resume");
}

lmb_status lmb_earlier_open(lmb_earlier *out, lmb_context *context, lmb_arena *arena,
                            const lmb_model *m, const char *analyses, const char *path)
{
    *out = (lmb_earlier){0};
    lmb_h5_recover(path);
    lmb_status status = lmb_result_open(&out->result, context, path);
    if (status == LMB_IO)
        lmb_hint(context, "without --resume the run begins anew; -o tells where its result is");
    if (status)
        return status;
    check c = {context, out->result, arena};
    out->path = path;
    if (!(status = check_version(&c)) && !(status = check_model(&c, m)) &&
        !(status = check_parameters(&c, m)) && !(status = check_analyses(&c, analyses)))
        status = check_checkpoint(&c, out, analyses);
    if (status)
        lmb_earlier_close(out);
    return status;
}

void lmb_earlier_close(lmb_earlier *e)
{
    lmb_result_close(e->result);
    free(e->checkpoint.numbers);
    *e = (lmb_earlier){0};
}

lmb_status lmb_earlier_rows(lmb_earlier *e, lmb_context *context, int analysis, int rows,
                            size_t width, lmb_row_function *take, void *user)
{
    int count = lmb_result_row_count(e->result, analysis);
    rows = rows < 0 ? count : rows;
    if (rows > count || lmb_result_width(e->result, analysis) != width + 1)
        return lmb_fail(context, LMB_BAD_INPUT, "'%s' is damaged: analysis '%s' is not as expected",
                        lmb_result_path(e->result), lmb_result_analysis_name(e->result, analysis));
    int block = (int)(MOST_NUMBERS / (width + 1));
    block = block < 1 ? 1 : block > MOST_ROWS ? MOST_ROWS : block;
    double *values = lmb_malloc((size_t)block * (width + 1) * sizeof *values);
    lmb_status status = values ? LMB_OK : lmb_fail_memory(context);
    for (int first = 0; first < rows && !status; first += block) {
        int some = rows - first < block ? rows - first : block;
        status = lmb_result_rows(e->result, context, analysis, first, some, values);
        for (int i = 0; i < some && !status; i++) {
            const double *row = values + (size_t)i * (width + 1);
            status = take(user, row[0], row + 1);
        }
    }
    free(values);
    return status;
}
