/* How the channels of an analysis are stored: like ones together.
 *
 * A channel "link7.position" is of the quantity "position". Channels of the same quantity, unit,
 * components and meaning form one data set,
 *
 *   values[instant][slot][column]
 *
 * in which each has a slot, or one slot per node if it is over the nodes of a body. A table lists
 * the channels in their order, each with the name of its data set, its first slot and its number of
 * slots. So the number of data sets is that of quantities, however large the model is. */
#ifndef LMB_RESULT_QUANTITIES_H
#define LMB_RESULT_QUANTITIES_H

#include "base/arena.h"
#include "store/h5.h"
#include "limber/result.h"

/* One data set of like channels. */
typedef struct lmb_quantity {
    const char *name; /* of the data set: the last word of the channels' names, where needed with a
                         number */
    const char *unit, *doc, *components;
    int slots, columns;
} lmb_quantity;

/* Where the numbers of a channel are. */
typedef struct lmb_channel_slot {
    int quantity, slot;
} lmb_channel_slot;

typedef struct lmb_quantities {
    int count;
    lmb_quantity *list;
    lmb_channel_slot *slots; /* one per channel */
} lmb_quantities;

/* Groups channels; all is copied to the arena but the names of the channels. False: out of memory.
 */
bool lmb_quantities_of(lmb_quantities *out, lmb_arena *arena, int count,
                       const lmb_channel *channels);

/* A line of the table of channels. */
typedef struct lmb_channel_line {
    const char *name, *set;
    int slot, nodes;
} lmb_channel_line;

/* Writes the table to the group of an analysis, and reads it back into the arena; false is a
 * failure of HDF5 or of memory. */
bool lmb_channel_index_write(hid_t group, int count, const lmb_channel *channels,
                             const lmb_quantities *quantities);
bool lmb_channel_index_read(hid_t group, lmb_arena *arena, int *count, lmb_channel_line **lines);

#endif
