/* Records that laws play back: record(turn/motor.effort) and fourier(turn/motor.effort, 20).
 *
 * A law is read before the analyses are, so what a call says is kept in the model and looked up at
 * the end. The numbers come with a run (records.c). */
#include <math.h>
#include <string.h>

#include "analysis/analysis.h"
#include "channels/channels.h"
#include "model/builder.h"

enum { MOST_ARGUMENTS = 4, MOST_BINS = 100000 };

/* The arguments of a call as texts with their places. */
typedef struct arguments {
    int count;
    lmb_tree at[MOST_ARGUMENTS];
} arguments;

/* Takes a call apart; false if an argument is empty or there are too many. */
static bool split(lmb_builder *r, const char *text, lmb_place place, arguments *a)
{
    static const char blanks[] = " \t\r\n";
    const char *from = strchr(text, '(') + 1;
    int depth = 1;
    for (const char *c = from; *c && depth > 0; c++) {
        depth += (*c == '(') - (*c == ')');
        if (depth > 1 || (depth == 1 && *c != ','))
            continue;
        const char *to = c;
        from += strspn(from, blanks);
        while (to > from && strchr(blanks, to[-1]))
            to--;
        if (a->count == MOST_ARGUMENTS || to <= from)
            return false;
        lmb_tree *node = &a->at[a->count++];
        *node = (lmb_tree){.kind = LMB_TREE_TEXT,
                           .place = place,
                           .text = lmb_text_copy(r->arena, from, (size_t)(to - from)),
                           .exact = place.column > 0,
                           .counter = r->reader.counter};
        node->place.length = (int)(to - from);
        if (place.column > 0)
            node->place.column += lmb_text_characters(text, (size_t)(from - text));
        from = c + 1;
    }
    return lmb_arena_fine(r->arena);
}

/* "turn/motor.effort" */
static lmb_status read_source(lmb_builder *r, const lmb_tree *node, lmb_record *out)
{
    const char *slash = strchr(node->text, '/');
    if (!slash || slash == node->text || !slash[1]) {
        lmb_fail_at(r->context, node->place,
                    "'%s' must be an analysis and one of its channels with a '/' between them",
                    node->text);
        return lmb_hint(r->context, "for example turn/motor.effort");
    }
    out->analysis = lmb_text_copy(r->arena, node->text, (size_t)(slash - node->text));
    out->channel = slash + 1;
    return out->analysis ? LMB_OK : lmb_fail_memory(r->context);
}

static lmb_status read_curve(lmb_builder *r, const arguments *a, lmb_record *out)
{
    static const char *const names[] = {
        [LMB_TABLE_LINEAR] = "linear", [LMB_TABLE_CUBIC] = "cubic", [LMB_TABLE_AKIMA] = "akima"};
    out->bins = -1;
    out->curve = LMB_TABLE_CUBIC;
    if (a->count == 1)
        return LMB_OK;
    for (int i = 0; i < 3; i++)
        if (strcmp(a->at[1].text, names[i]) == 0) {
            out->curve = (lmb_table_kind)i;
            return LMB_OK;
        }
    return lmb_fail_at(r->context, a->at[1].place,
                       "a record can be 'cubic', 'linear' or 'akima', not '%s'", a->at[1].text);
}

static lmb_status read_series(lmb_builder *r, const arguments *a, lmb_record *out)
{
    double bins;
    if (lmb_read_number(&r->reader, &a->at[1], "n", &bins))
        return LMB_BAD_INPUT;
    if (bins != floor(bins) || bins < 0 || bins > MOST_BINS)
        return lmb_fail_at(r->context, a->at[1].place,
                           "the number of harmonics must be a whole number from 0 to %d, not %g",
                           MOST_BINS, bins);
    out->bins = (int)bins;
    out->window = a->count == 4;
    if (out->window && (lmb_read_number(&r->reader, &a->at[2], "t0", &out->t0) ||
                        lmb_read_number(&r->reader, &a->at[3], "t1", &out->t1)))
        return LMB_BAD_INPUT;
    if (out->window && out->t1 <= out->t0)
        return lmb_fail_at(r->context, a->at[3].place, "t1 must be after t0, but is %g after %g",
                           out->t1, out->t0);
    return LMB_OK;
}

lmb_status lmb_read_record(lmb_builder *r, const char *text, lmb_place place, lmb_symbol *symbol)
{
    lmb_model *m = r->model;
    arguments a = {0};
    bool series = strncmp(text, "fourier", 7) == 0;
    bool fine = split(r, text, place, &a);
    if (!fine || (series ? a.count != 2 && a.count != 4 : a.count > 2)) {
        lmb_fail_at(r->context, place, "'%s' has wrong arguments", series ? "fourier" : "record");
        return lmb_hint(
            r->context,
            series ? "write fourier(turn/motor.effort, n) or fourier(turn/motor.effort, n, "
                     "t0, t1)"
                   : "write record(turn/motor.effort) or record(turn/motor.effort, linear)");
    }
    lmb_record record = {.place = place, .text = lmb_text_copy(r->arena, text, strlen(text))};
    lmb_status status = read_source(r, &a.at[0], &record);
    if (status || (status = series ? read_series(r, &a, &record) : read_curve(r, &a, &record)))
        return status;
    m->records = lmb_arena_append(r->arena, m->records, m->record_count, sizeof *m->records);
    if (!m->records || !record.text)
        return lmb_fail_memory(r->context);
    m->records[m->record_count] = record;
    *symbol = (lmb_symbol){.kind = LMB_SYMBOL_RECORD, .size = 1, .variable = m->record_count++};
    return LMB_OK;
}

/* --- when all is read ------------------------------------------------------------------------- */

static lmb_status find_analysis(lmb_builder *r, lmb_record *record)
{
    const lmb_model *m = r->model;
    lmb_nearest nearest;
    record->source = lmb_find_analysis(r, record->analysis, &nearest);
    if (record->source >= 0 && lmb_instant_count(&m->analyses[record->source]) < 2)
        return lmb_fail_at(r->context, record->place,
                           "analysis '%s' is no motion that could be played back",
                           record->analysis);
    if (record->source >= 0)
        return LMB_OK;
    lmb_fail_at(r->context, record->place, "there is no analysis '%s' to play back",
                record->analysis);
    return lmb_nearest_hint(r->context, &nearest);
}

/* The instants that a series is made of. */
static lmb_status find_window(lmb_builder *r, lmb_record *record)
{
    const lmb_analysis *a = &r->model->analyses[record->source];
    record->first = 0;
    record->last = lmb_instant_count(a) - 1;
    if (record->window) {
        record->first = lmb_instant_at(a, record->t0);
        record->last = lmb_instant_at(a, record->t1);
        if (record->first < 0 || record->last < 0) {
            lmb_fail_at(r->context, record->place, "analysis '%s' has no result at t = %g",
                        record->analysis, record->first < 0 ? record->t0 : record->t1);
            return lmb_hint(r->context, "it has results from %g to %g in steps of %g", a->start,
                            a->start + a->duration, a->output_step);
        }
    }
    int samples = record->last - record->first;
    if (2 * record->bins < samples)
        return LMB_OK;
    lmb_fail_at(r->context, record->place,
                "%d harmonics cannot be told from %d instants of analysis '%s'", record->bins,
                samples, record->analysis);
    return lmb_hint(r->context,
                    "twice the number of harmonics must be less: take fewer, or a shorter "
                    "'output_step' there");
}

static lmb_status find_channel(lmb_builder *r, lmb_record *record)
{
    lmb_channels *channels;
    unsigned known = r->model->analyses[record->source].kind->known;
    lmb_status status = lmb_channels_new(&channels, r->context, r->model, known);
    if (status)
        return status;
    int size;
    status =
        lmb_channels_find(channels, r->context, record->channel, record->place, &record->at, &size);
    if (!status && size > 1) {
        char name[160];
        lmb_channels_number_name(channels, record->at, name, sizeof name);
        status = lmb_fail_at(r->context, record->place, "'%s' has %d numbers: name one of them",
                             record->channel, size);
        lmb_hint(r->context, "for example '%s'", name);
    }
    lmb_channels_free(channels);
    return status;
}

lmb_status lmb_find_records(lmb_builder *r)
{
    lmb_status status = LMB_OK;
    for (int i = 0; i < r->model->record_count; i++) {
        lmb_record *record = &r->model->records[i];
        if (find_analysis(r, record) || find_channel(r, record) || find_window(r, record))
            status = LMB_BAD_INPUT;
    }
    return status;
}
