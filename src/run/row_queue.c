/* The queue of rows. */
#include "run/row_queue.h"

#include <string.h>
#include <time.h>

struct lmb_row_queue {
    lmb_channels *channels;
    lmb_workers *workers;
    size_t width;
    int count;
    double t[LMB_STRESS_ROWS];
    double *rows;
    struct timespec first; /* when the first one came */
};

lmb_row_queue *lmb_row_queue_new(lmb_arena *arena, lmb_channels *channels, lmb_workers *workers)
{
    if (!lmb_channels_put_off(channels, true))
        return NULL;
    lmb_row_queue *q = lmb_arena_alloc(arena, 1, sizeof *q);
    double *rows = lmb_arena_numbers(arena, LMB_STRESS_ROWS * (size_t)lmb_channels_width(channels));
    if (!q || !rows) {
        lmb_channels_put_off(channels, false);
        return NULL;
    }
    q->channels = channels;
    q->workers = workers;
    q->width = (size_t)lmb_channels_width(channels);
    q->rows = rows;
    return q;
}

bool lmb_row_queue_add(lmb_row_queue *q, double t, const double *row)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    if (q->count == 0)
        q->first = now;
    memcpy(q->rows + (size_t)q->count * q->width, row, q->width * sizeof *row);
    q->t[q->count++] = t;
    return q->count == LMB_STRESS_ROWS || now.tv_sec > q->first.tv_sec + 1;
}

lmb_status lmb_row_queue_empty(lmb_row_queue *q, lmb_context *context, lmb_writer *writer,
                               lmb_store_row *store, void *user)
{
    lmb_status status = LMB_OK;
    if (!q || q->count == 0)
        return LMB_OK;
    lmb_channels_take_rows(q->channels, context, q->workers, q->count, q->t, q->rows);
    lmb_writer_hold(writer);
    for (int i = 0; i < q->count && !status; i++)
        status = store(user, q->t[i], q->rows + (size_t)i * q->width);
    q->count = 0;
    lmb_status released = lmb_writer_release(writer, context);
    return status ? status : released;
}

lmb_status lmb_row_queue_end(lmb_row_queue *q, lmb_context *context, lmb_writer *writer,
                             lmb_store_row *store, void *user)
{
    lmb_status status = lmb_row_queue_empty(q, context, writer, store, user);
    if (q)
        lmb_channels_put_off(q->channels, false);
    return status;
}
