/* Neighbours of a model: the same model file compiled at nearby values of its parameters, so that
 * derivatives by these are differences of the neighbours' equations at the same state.
 *
 * A neighbour is a variant of the base (model/variant.h): bodies that are made of the same as in
 * the base share its reduced bodies, and the cache of reduced bodies is neither read nor written;
 * others are reduced more accurately than by themselves, for differences. With `held` in the spec
 * besides (read/reader.h), flexible bodies are projected on the modes that they have in the base
 * (reduction/held.c) instead of being reduced anew. */
#ifndef LMB_MODEL_ALIGN_H
#define LMB_MODEL_ALIGN_H

#include "system/model.h"

/* Puts all flexible bodies of a neighbour into the basis of their modes that is nearest to the
 * modes of the base (reduction/align.h), so that modal coordinates mean the same in both. Bodies
 * whose modes are the same to the bit, held, or given as numbers (`modal`), are left alone.
 * LMB_BAD_INPUT if bodies, or their numbers of modes, nodes and points, change from one to the
 * other, or if the modes that are kept become others. */
lmb_status lmb_model_align_modes(lmb_model *neighbour, lmb_context *context, const lmb_model *base);

/* Whether the modal coordinates of a body of an aligned neighbour are not those that it would have
 * by itself. */
bool lmb_model_modes_differ(const lmb_model *neighbour, int body);

/* Whether a body of a neighbour has the modes of the base held on nodes or points that are not
 * where they are in the base: then held shapes are others. */
bool lmb_model_held_moves(const lmb_model *neighbour, const lmb_model *base, int body);

#endif
