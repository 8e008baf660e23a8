/* The kinds of bodies, joints, forces, integrators and analyses, and the keys that follow from
 * them. */
#ifndef LMB_MODEL_KINDS_H
#define LMB_MODEL_KINDS_H

#include "base/arena.h"
#include "bodies/read.h"
#include "limber/model.h"
#include "system/kinds.h"

/* The built-in ones. */
extern const lmb_kinds lmb_kinds_default;

/* lmb_model_compile with other kinds, which must outlive the model. */
lmb_status lmb_model_compile_with(lmb_model **out, lmb_context *context, const lmb_spec *spec,
                                  const lmb_kinds *kinds);

/* The keys of a body of a kind: those of all bodies, its own ones, then those of other kinds, for
 * messages about them; `own` may be NULL. And the keys of an analysis, where `docs` says whether
 * the words of choices are to be explained. NULL: out of memory. */
lmb_field *lmb_body_table(lmb_arena *arena, const lmb_kinds *kinds, const lmb_body_type *own);
lmb_field *lmb_analysis_table(lmb_arena *arena, const lmb_kinds *kinds, bool docs);

/* The tables for the kinds of bodies, each made when the first body of the kind is read. */
typedef struct lmb_body_tables {
    const lmb_kinds *kinds;
    lmb_field **fields; /* for each kind; NULL: not made yet */
    lmb_value *values;  /* room for those of any */
} lmb_body_tables;

/* `made`: tables of the same kinds that were made before, or NULL. */
lmb_body_tables *lmb_body_tables_new(lmb_arena *arena, const lmb_kinds *kinds,
                                     lmb_field *const *made);

/* The number of the kind of a body: the one that `type` names, unless it has a key that makes it
 * another one; the first kind without either. */
int lmb_body_kind_of(const lmb_kinds *kinds, const lmb_tree *node);

/* Finds the kind of a body and reads all its keys; `reader`, `what` and `node` are given. */
lmb_status lmb_read_body_keys(lmb_body_tables *tables, lmb_body_build *build);

#endif
