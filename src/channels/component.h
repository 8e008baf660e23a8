/* Names of parts of a channel.
 *
 * A channel has one number per letter of its components; without letters its numbers are counted
 * from 1. A channel over the nodes of a body has more numbers than letters: its components at the
 * first node, then at the second, ... Of arm.nodes (xyz)
 *
 *   arm.nodes.x   is the x of all nodes,   arm.nodes.7   what node 7 has,   arm.nodes.7.x   one
 * number
 */
#ifndef LMB_CHANNELS_COMPONENT_H
#define LMB_CHANNELS_COMPONENT_H

#include <stdbool.h>

#include "base/names.h"
#include "limber/result.h"

/* How many nodes a channel is over, 1 where it is over none; and the numbers of each. */
int lmb_channel_nodes(const lmb_channel *channel);
int lmb_channel_columns(const lmb_channel *channel);

/* Some nodes of a channel, and some columns of each. */
typedef struct lmb_channel_part {
    int node, nodes;
    int column, columns;
} lmb_channel_part;

/* The part that the words behind the name of a channel mean, as "x", "7" or "7.x"; false: none. */
bool lmb_channel_part_of(const lmb_channel *channel, const char *words, lmb_channel_part *out);

/* The channel that a name means, or a part of which, among structs of a size that begin with an
 * lmb_channel; the dictionary has the index of each. -1: there is none. */
int lmb_channel_find(const lmb_names *names, const void *channels, size_t size, const char *name,
                     lmb_channel_part *part);

/* The name of a number, ".x", ".3" or ".7.x"; "" for a scalar. */
const char *lmb_component_name(const lmb_channel *channel, int index, char text[16]);

#endif
