/* Columns of measurements and channels of results; see counterpart.h. */
#include "compare/counterpart.h"

#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "import/scan.h"

typedef struct matcher {
    const lmb_result *result;
    lmb_measurement *m;
    const lmb_channel *over;
    int count; /* of numbers per instant of the result, with their names; column -1: none */
    lmb_column_match *numbers;
} matcher;

/* --- names ------------------------------------------------------------------------------------ */

/* Lists the names of all numbers of an instant. */
static lmb_status list_numbers(matcher *x)
{
    lmb_arena *arena = x->m->arena;
    int last = lmb_result_analysis_count(x->result) - 1;
    x->over = lmb_result_over(x->result, last);
    for (int i = 0; i < lmb_result_channel_count(x->result, last); i++) {
        const lmb_channel *c = lmb_result_channel(x->result, last, i);
        for (int k = 0; k < c->size; k++) {
            char text[16];
            const char *name =
                lmb_text_format(arena, "%s%s", c->name, lmb_component_name(c, k, text));
            x->numbers = lmb_arena_append(arena, x->numbers, x->count, sizeof *x->numbers);
            if (!lmb_arena_fine(arena))
                return lmb_fail_memory(x->m->context);
            x->numbers[x->count++] = (lmb_column_match){-1, name, c->unit};
        }
    }
    return LMB_OK;
}

/* The number of a name, in letters of any size, or -1. */
static int find_number(const matcher *x, const char *name)
{
    for (int exact = 1; exact >= 0; exact--)
        for (int i = 0; i < x->count; i++)
            if (exact ? strcmp(x->numbers[i].name, name) == 0
                      : lmb_same_letters(x->numbers[i].name, name))
                return i;
    return -1;
}

/* What an unknown name could mean: one near to it, or the components of a channel. */
static const char *near_name(const matcher *x, const char *name)
{
    lmb_nearest near = lmb_nearest_start(name);
    size_t length = strlen(name);
    for (int i = 0; i < x->count; i++) {
        const char *full = x->numbers[i].name;
        if (lmb_same_letters_in(full, name, length) && full[length] == '.' &&
            !strchr(full + length + 1, '.'))
            return full;
        lmb_nearest_try(&near, full);
    }
    return near.best;
}

/* --- what was typed --------------------------------------------------------------------------- */

/* The number that a column is, or -1. */
static int number_of(const matcher *x, int column)
{
    int i = x->count - 1;
    while (i >= 0 && x->numbers[i].column != column)
        i--;
    return i;
}

/* Takes a pair "COLUMN=CHANNEL". */
static lmb_status take_pair(matcher *x, const char *pair)
{
    const char *equals = strrchr(pair, '=');
    lmb_context *context = x->m->context;
    int column;
    if (!equals || equals == pair || !equals[1]) {
        lmb_fail(context, LMB_USAGE, "--column needs COLUMN=CHANNEL, not '%s'", pair);
        return lmb_hint(context, "for example --column \"%s=%s\"", x->m->table.names[0],
                        x->count > 0 ? x->numbers[0].name : x->over->name);
    }
    lmb_word left = lmb_word_trim((lmb_word){pair, (int)(equals - pair)});
    lmb_word right = lmb_word_trim(lmb_word_of(equals + 1));
    const char *name = lmb_text_copy(x->m->arena, left.start, (size_t)left.length);
    const char *channel = lmb_text_copy(x->m->arena, right.start, (size_t)right.length);
    if (!name || !channel)
        return lmb_fail_memory(context);
    lmb_status status = lmb_measurement_column(x->m, name, &column);
    if (status)
        return status;
    if (!lmb_measurement_has_numbers(x->m, column))
        return lmb_fail(context, LMB_BAD_INPUT, "the column '%s' of '%s' has no numbers",
                        x->m->table.names[column], x->m->path);
    if (lmb_same_letters(channel, x->over->name)) {
        x->m->times = column;
        return LMB_OK;
    }
    int number = find_number(x, channel);
    if (number < 0) {
        const char *near = near_name(x, channel);
        lmb_fail(context, LMB_BAD_INPUT, "the result has no channel '%s' of one number", channel);
        if (near)
            lmb_hint(context, "did you mean '%s'?", near);
        return LMB_BAD_INPUT;
    }
    if (x->numbers[number].column >= 0 || number_of(x, column) >= 0)
        return lmb_fail(context, LMB_USAGE, "--column names two columns for '%s'",
                        x->numbers[number].name);
    x->m->times = x->m->times == column ? -1 : x->m->times;
    x->numbers[number].column = column;
    return LMB_OK;
}

/* --- columns ---------------------------------------------------------------------------------- */

/* Joins a column and the channel of its name, unless another column is that. */
static void match_name(matcher *x, int column, lmb_column_matches *out)
{
    const char *name = x->m->table.names[column];
    int number = find_number(x, name);
    bool some = lmb_measurement_has_numbers(x->m, column);
    if (number < 0 && some)
        out->unmatched[out->unmatched_count++] = column;
    else if (number >= 0 && !some)
        lmb_warn(x->m->context, "the column '%s' of '%s' has no numbers", name, x->m->path);
    else if (number >= 0 && x->numbers[number].column >= 0)
        lmb_warn(x->m->context, "the column '%s' of '%s' is left out: '%s' is that channel", name,
                 x->m->path, x->m->table.names[x->numbers[number].column]);
    else if (number >= 0)
        x->numbers[number].column = column;
}

/* Joins columns and channels of the same name, and sorts the columns. */
static lmb_status match_names(matcher *x, lmb_column_matches *out)
{
    size_t width = (size_t)x->m->table.columns;
    out->list = lmb_arena_alloc(x->m->arena, width, sizeof *out->list);
    out->unmatched = lmb_arena_integers(x->m->arena, width);
    if (!out->list || !out->unmatched)
        return lmb_fail_memory(x->m->context);
    for (int k = 0; k < x->m->table.columns; k++) {
        if (k != x->m->times && number_of(x, k) < 0)
            match_name(x, k, out);
        int number = number_of(x, k);
        if (number >= 0)
            out->list[out->count++] = x->numbers[number];
    }
    return LMB_OK;
}

/* What could be meant by the first unmatched columns. */
static const char *hint_of(const matcher *x, const lmb_column_matches *found)
{
    const char *const *names = (const char *const *)x->m->table.names;
    for (int i = 0; i < found->unmatched_count && i < 20; i++) {
        const char *name = names[found->unmatched[i]], *near = near_name(x, name);
        if (near && !lmb_same_letters(near, name))
            return lmb_text_format(x->m->arena, "'%s': did you mean '%s'? --column \"%s=%s\"", name,
                                   near, name, near);
    }
    if (found->unmatched_count == 0 || found->count > 0)
        return NULL;
    return lmb_text_format(x->m->arena,
                           "say which channels they are: --column \"%s=CHANNEL\" (`limber list` "
                           "names the channels)",
                           names[found->unmatched[0]]);
}

/* The names of the unmatched columns, as many as can be read. */
static void list_unmatched(const lmb_measurement *m, const lmb_column_matches *found,
                           char text[256])
{
    enum { MOST = 5 };
    size_t used = 0;
    text[0] = 0;
    for (int i = 0; i < found->unmatched_count && i <= MOST; i++)
        used += (size_t)lmb_snprintf(text + used, 256 - used, "%s%.40s", i > 0 ? ", " : "",
                                     i < MOST ? m->table.names[found->unmatched[i]] : "...");
}

lmb_status lmb_match_columns(const lmb_result *result, lmb_measurement *m, const char *const *pairs,
                             lmb_column_matches *out)
{
    matcher x = {.result = result, .m = m};
    *out = (lmb_column_matches){0};
    lmb_status status = list_numbers(&x);
    if (status)
        return status;
    /* the column of what the channels are over, unless it is the time: that of its name, or 0 */
    bool timed = strcmp(x.over->name, "time") == 0;
    m->times = timed ? m->times : 0;
    for (int k = m->table.columns - 1; k >= 0 && !timed; k--)
        if (lmb_same_letters(m->table.names[k], x.over->name))
            m->times = k;
    for (; !status && pairs && *pairs; pairs++)
        status = take_pair(&x, *pairs);
    if (status || match_names(&x, out))
        return lmb_last_status(m->context);
    out->said = hint_of(&x, out);
    if (out->count > 0)
        return LMB_OK;
    char names[256];
    list_unmatched(m, out, names);
    lmb_fail(m->context, LMB_BAD_INPUT, "no column of '%s' is a channel of the result%s%s", m->path,
             names[0] ? ": " : "", names);
    if (out->said)
        lmb_hint(m->context, "%s", out->said);
    return LMB_BAD_INPUT;
}

bool lmb_report_unmatched(const lmb_measurement *m, const lmb_column_matches *found)
{
    char names[256];
    list_unmatched(m, found, names);
    if (found->unmatched_count == 1)
        lmb_warn(m->context, "the column '%s' of '%s' is no channel of the result", names, m->path);
    else if (found->unmatched_count > 1)
        lmb_warn(m->context, "%d columns of '%s' are no channels of the result: %s",
                 found->unmatched_count, m->path, names);
    if (found->unmatched_count > 0 && found->said)
        lmb_hint(m->context, "%s", found->said);
    return found->unmatched_count > 0;
}
