/* Parts of arrays that the program has attached to a spec (limber/arrays.h), as finite element
 * models. */
#ifndef LMB_IMPORT_ARRAYS_H
#define LMB_IMPORT_ARRAYS_H

#include "fe/fe_model.h"
#include "import/units.h"
#include "limber/arrays.h"
#include "read/reader.h"

/* What is attached to a spec by a name; NULL after a message at a place, if nothing is. */
const lmb_attached *lmb_attached_find(const lmb_spec *spec, lmb_context *context, lmb_place place,
                                      const char *name);

/* Makes a mesh of it in SI, and a model unless it has elements alone (*model is then NULL). They
 * live in the arena, and no longer than the spec; elements, coordinates and values of matrices are
 * their own. */
lmb_status lmb_attached_model(const lmb_attached *attached, lmb_context *context, lmb_arena *arena,
                              const lmb_units *units, lmb_mesh **mesh, lmb_fe_model **model);

#endif
