/* Variants of a model: the same model file at other values of its parameters.
 *
 * A variant reads only what depends on the parameters that differ from those of its base, directly
 * or through others (read/memo.h); numbers, laws, tables and bodies that do not are those of the
 * base, and so are flexible bodies with their modes: nothing is reduced, no file is read and no
 * cache looked at. Expressions of channels are not checked again where the channels are the same.
 * Joints, forces and so on are built and indexed anew from these numbers, so a variant is, to the
 * last bit, what compiling all of it gives, but for flexible bodies that do depend on a parameter:
 * these are reduced more accurately (model/align.h). Warnings about what is shared are not
 * repeated.
 *
 * Where the entries that `repeat` makes depend on a parameter, or the base is of another file or
 * with other kinds, all is read. A variant is a model as others: constant, and the base of further
 * variants. It keeps its base in memory, so that models and specs can be freed in any order;
 * variants of variants keep all of them, so rather make all of one base. Threads may make variants
 * of one base at the same time, each with a context and a spec of its own (lmb_spec_copy). */
#ifndef LMB_MODEL_VARIANT_H
#define LMB_MODEL_VARIANT_H

#include "limber/model.h"

/* lmb_model_variant compiles a spec as a variant of a model of the same tree, with its kinds. */

#endif
