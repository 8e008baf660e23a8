/* Rows of results that wait until there are several of them: stresses of flexible bodies take least
 * time for many instants at once. None waits for longer than a second or two. */
#ifndef LMB_RUN_ROW_QUEUE_H
#define LMB_RUN_ROW_QUEUE_H

#include "channels/channels.h"
#include "result/write.h"

typedef struct lmb_row_queue lmb_row_queue;

/* Of the channels of an analysis, whose rows lack stresses from now on until they leave the queue;
 * lives in the arena. NULL: nothing is to wait for, or out of memory. */
lmb_row_queue *lmb_row_queue_new(lmb_arena *arena, lmb_channels *channels, lmb_workers *workers);

/* Copies a row. True: it is time to empty the queue. */
bool lmb_row_queue_add(lmb_row_queue *queue, double t, const double *row);

/* Completes the rows, takes them into the record of the channels, and hands them on in their order.
 * The writer makes no checkpoint in between. Of NULL: nothing. */
typedef lmb_status lmb_store_row(void *user, double t, const double *row);
lmb_status lmb_row_queue_empty(lmb_row_queue *queue, lmb_context *context, lmb_writer *writer,
                               lmb_store_row *store, void *user);

/* Empties it for good; rows are whole again. */
lmb_status lmb_row_queue_end(lmb_row_queue *queue, lmb_context *context, lmb_writer *writer,
                             lmb_store_row *store, void *user);

#endif
