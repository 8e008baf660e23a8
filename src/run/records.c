/* Collecting what laws play back. */
#include "run/run.h"

/* The samples of one record. */
typedef struct samples {
    int count;
    double *t, *y;
} samples;

struct lmb_records {
    lmb_arena *arena;
    const lmb_model *model;
    samples *samples;         /* of each record */
    const lmb_table **tables; /* likewise */
};

lmb_status lmb_records_new(lmb_records **out, lmb_context *context, lmb_arena *arena,
                           const lmb_model *m)
{
    size_t count = (size_t)m->record_count;
    lmb_records *r = *out = count ? lmb_arena_alloc(arena, 1, sizeof *r) : NULL;
    if (r)
        *r = (lmb_records){arena, m, lmb_arena_alloc(arena, count, sizeof *r->samples),
                           lmb_arena_alloc(arena, count, sizeof *r->tables)};
    for (size_t i = 0; lmb_arena_fine(arena) && i < count; i++) {
        size_t room = (size_t)lmb_instant_count(&m->analyses[m->records[i].source]);
        r->samples[i].t = lmb_arena_numbers(arena, room);
        r->samples[i].y = lmb_arena_numbers(arena, room);
    }
    return lmb_check_memory(context, arena);
}

void lmb_records_take(lmb_records *r, const lmb_analysis *a, double t, const double *row)
{
    for (int i = 0; r && i < r->model->record_count; i++) {
        const lmb_record *record = &r->model->records[i];
        samples *s = &r->samples[i];
        if (&r->model->analyses[record->source] != a || s->count >= lmb_instant_count(a))
            continue;
        if (s->count && t - s->t[s->count - 1] < 1e-6 * a->output_step)
            continue; /* stopped just behind an instant: two points, but no slope */
        s->t[s->count] = t;
        s->y[s->count++] = row[record->at];
    }
}

/* Whether an analysis has got far enough for a record; an event may have stopped it. */
static lmb_status check_end(lmb_context *context, const lmb_analysis *a, const lmb_record *record,
                            const samples *s)
{
    int last = record->bins < 0 ? 1 : record->last;
    double needed = lmb_instant(a, last);
    if (s->count > last && (record->bins < 0 || s->t[last] == needed))
        return LMB_OK;
    lmb_fail_at(context, record->place, "analysis '%s' has stopped at t = %g, too early", a->name,
                s->t[s->count - 1]);
    return lmb_hint(context, "'%s' needs it up to t = %g", record->text, needed);
}

lmb_status lmb_records_complete(lmb_records *r, lmb_context *context, const lmb_analysis *a)
{
    for (int i = 0; r && i < r->model->record_count; i++) {
        const lmb_record *record = &r->model->records[i];
        const samples *s = &r->samples[i];
        if (&r->model->analyses[record->source] != a)
            continue;
        if (check_end(context, a, record, s))
            return LMB_BAD_INPUT;
        r->tables[i] =
            record->bins < 0
                ? lmb_table_new(r->arena, record->curve, LMB_TABLE_HOLD, s->count, s->t, s->y)
                : lmb_table_fourier(r->arena, record->last - record->first + 1,
                                    s->t + record->first, s->y + record->first, record->bins);
        if (!r->tables[i])
            return lmb_fail_memory(context);
    }
    return LMB_OK;
}

const lmb_table *const *lmb_records_tables(const lmb_records *r)
{
    return r ? r->tables : NULL;
}
