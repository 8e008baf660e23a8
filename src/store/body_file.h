/* Files of reduced bodies: HDF5 with all of lmb_reduced, and what a viewer draws.
 *
 * Attributes at the root: program, kind ("body"), version, format, name, and checksum, a hash of
 * all data. Data sets are named as the members of lmb_reduced; `surface/triangles` and
 * `surface/lines` have numbers of nodes (from 0), `stress/modes` the stresses xx yy zz xy yz zx of
 * each mode at the places of `stress/node`, `stress/lines` the section forces N Vy Vz T My Mz at
 * both ends of the lines, `stress/inertia` those of accelerations (fe/beam.h, then of the modes),
 * `stress/material` E and nu at the places, `stress/sections` the numbers of the sections of the
 * lines (LMB_LINE_E ...), `stress/axes` their y axes. `basis/shape` and `basis/turn` are the
 * motions of the nodes `basis/node` in the columns of the basis, for looking at, `basis/stress` von
 * Mises' stress of solids there, `basis/lines` the section forces of the lines. `sets/...` are
 * named sets of nodes. `settings` and `warnings` are texts.
 * Times are not kept, so that the same body gives the same bytes. */
#ifndef LMB_STORE_BODY_FILE_H
#define LMB_STORE_BODY_FILE_H

#include "base/file.h"
#include "reduction/body_data.h"

/* The bytes of the file of a body, to be freed. */
lmb_status lmb_body_image(const lmb_body_data *body, lmb_context *context, unsigned char **bytes,
                          size_t *size);

/* Reads a body file. One of another kind or version, or a damaged one, is refused. */
lmb_status lmb_body_read(lmb_body_data **out, lmb_context *context, const char *path);

/* Read a body file. With `shapes`, skip large data except mode shapes (their pointers are NULL) and
 * do not verify the checksum; use this only for files already verified. */
lmb_status lmb_body_read_parts(lmb_body_data **out, lmb_context *context, const char *path,
                               bool shapes);

/* Whether numbers of nodes are those of nodes that there are. */
bool lmb_body_has_nodes(const int *nodes, size_t count, int most);
void lmb_body_free(lmb_body_data *body);

/* Whether a path is that of a body file rather than of a model, by its first bytes or its name. */
bool lmb_is_body_file(const char *path);

/* What stands in the place of a new file: nothing or something else (also what is damaged),
 * results, or a body. */
typedef enum lmb_file_kind { LMB_FILE_OTHER, LMB_FILE_RESULT, LMB_FILE_BODY } lmb_file_kind;

lmb_file_kind lmb_file_kind_of(lmb_context *context, const char *path);

/* --- the cache --------------------------------------------------------------------------------
 *
 * Reduced bodies of a model file, computed once: `.limber-cache/` beside the model has a body file
 * for each content that was reduced, named by its key. */

/* Fills an empty body, which has its arena; name, version and warnings are added later. */
typedef lmb_status lmb_reduce_function(void *user, lmb_context *context, lmb_body_data *body);

/* Return the body of a key under `name`, with all data or with `shapes` as in lmb_body_read_parts.
 * It is read from the cache beside the model file, or computed and added to the cache. A cached
 * body may have had another name. *cached is true if it was in the cache. A NULL key disables the
 * cache. A cache that cannot be read or written is not an error. A cache that contains links or
 * pipes is not used, with a warning. Warnings of the reduction are given in both cases. */
lmb_status lmb_body_cached(lmb_body_data **out, bool *cached, lmb_context *context,
                           const char *model_file, const char *key, const char *name, bool shapes,
                           lmb_reduce_function *reduce, void *user);

#endif
