/* Islands of a model: mechanisms that share nothing but the ground (lmb_island of system/model.h).
 */
#ifndef LMB_SYSTEM_ISLANDS_H
#define LMB_SYSTEM_ISLANDS_H

#include "system/model.h"

/* Find the islands with their lengths, and the length of the model. Returns false without memory.
 */
bool lmb_find_islands(lmb_model *model);

/* Find the ranges of coordinates once bodies have their places in q and v. */
bool lmb_index_island_ranges(lmb_model *model);

/* How far a unit of a joint coordinate moves its bodies, as `size` of an lmb_column. */
double lmb_coordinate_size(const lmb_model *model, const lmb_coordinate *coordinate);

/* Return the island of the bodies of a row, or -1 if they are the ground alone. */
int lmb_row_island(const lmb_model *model, int row);

#endif
