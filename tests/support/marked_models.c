#include "marked_models.h"

#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "limber/limber.h"
#include "math/expr.h"
#include "program.h"
#include "support.h"

enum { LONGEST_LINE = 1000 };

void check_healthy(const char *name, const lmb_run_result *run)
{
    if (run->code >= 128 || strstr(run->err, "Sanitizer") || strstr(run->err, "runtime error") ||
        strstr(run->err, "ssertion"))
        fail_msg("%s: code %d\n%s", name, run->code, run->err);
}

void check_marked_model(const char *path, const char *result, bool quiet)
{
    static const char expect[] = "#! expect: ";
    lmb_run_result run = run_limber("run %s --quiet -o %s", path, result);
    check_healthy(path, &run);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    char line[LONGEST_LINE];
    const char *rest = run.err;
    int code = -1;
    while (fgets(line, sizeof line, file) && strncmp(line, "#! ", 3) == 0) {
        line[strcspn(line, "\n")] = 0;
        if (sscanf(line, "#! exit: %d", &code) == 1 || strncmp(line, expect, sizeof expect - 1))
            continue;
        const char *piece = line + sizeof expect - 1, *found = strstr(rest, piece);
        if (!found)
            fail_msg("%s: expected '%s' in\n%s", path, piece, run.err);
        rest = found + strlen(piece);
    }
    fclose(file);
    if (run.code != code || (rest == run.err && (!quiet || run.err[0])))
        fail_msg("%s: code %d, expected %d\n%s", path, run.code, code, run.err);
    free_run(&run);
}

/* The value of an expression without names. */
static double value_of(lmb_context *context, const char *text)
{
    lmb_arena *arena = lmb_arena_new();
    lmb_expr *e = lmb_expr_compile(context, arena, &(lmb_scope){0}, text, (lmb_place){0});
    if (!e)
        fail_msg("'%s' is no expression", text);
    lmb_jet out;
    lmb_expr_evaluate(e, 0, NULL, &out);
    lmb_arena_free(arena);
    return out.f;
}

int check_marked_values(const char *path, const char *result)
{
    FILE *file = fopen(path, "r");
    lmb_context *context = lmb_context_new();
    lmb_result *r = NULL;
    char line[LONGEST_LINE], channel[100], expression[200];
    double within;
    int count = 0;
    assert_non_null(file);
    while (fgets(line, sizeof line, file) && strncmp(line, "#! ", 3) == 0) {
        if (sscanf(line, "#! value: %99s = %199[^w] within %lg", channel, expression, &within) != 3)
            continue;
        lmb_series s;
        if (!r)
            assert_int_equal(lmb_result_open(&r, context, result), LMB_OK);
        if (lmb_result_read(r, context, channel, &s))
            fail_msg("%s: there is no channel '%s'", path, channel);
        double found = s.values[(size_t)s.size * (size_t)(s.count - 1)];
        double expected = value_of(context, expression);
        if (!(fabs(found - expected) <= within))
            fail_msg("%s: %s is %.12g and not %.12g", path, channel, found, expected);
        lmb_series_free(&s);
        count++;
    }
    lmb_result_close(r);
    lmb_context_free(context);
    fclose(file);
    return count;
}

static int is_model(const struct dirent *entry)
{
    const char *end = strrchr(entry->d_name, '.');
    return end && strcmp(end, ".yaml") == 0;
}

void for_each_model(const char *folder, int least, void (*check)(const char *path))
{
    struct dirent **entries;
    int count = scandir(folder, &entries, is_model, alphasort);
    if (count < least)
        fail_msg("there are only %d files in %s", count, folder);
    for (int i = 0; i < count; i++) {
        char path[300];
        snprintf(path, sizeof path, "%s/%s", folder, entries[i]->d_name);
        check(path);
        free(entries[i]);
    }
    free(entries);
}
