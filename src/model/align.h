/* Neighbours of a model: the same model file compiled at nearby values of its parameters, so that
 * derivatives by these are differences of the neighbours' equations at the same state.
 *
 * A spec with `like` set to the base (read/reader.h) compiles a neighbour: bodies that are made of
 * the same as in the base share its reduced bodies, and the cache of reduced bodies is neither read
 * nor written. The base must outlive it. */
#ifndef LMB_MODEL_ALIGN_H
#define LMB_MODEL_ALIGN_H

#include "system/model.h"

/* Puts all flexible bodies of a neighbour into the basis of their modes that is nearest to the
 * modes of the base (reduction/align.h), so that modal coordinates mean the same in both. Bodies
 * whose modes are the same to the bit, or given as numbers (`modal`), are left alone. LMB_BAD_INPUT
 * if bodies, or their numbers of modes, nodes and points, change from one to the other, or if the
 * modes that are kept become others. */
lmb_status lmb_model_align_modes(lmb_model *neighbour, lmb_context *context, const lmb_model *base);

/* Whether the modal coordinates of a body of an aligned neighbour are not those that it would have
 * by itself. */
bool lmb_model_modes_differ(const lmb_model *neighbour, int body);

#endif
