/* Reduced bodies of a model file, computed once: `.limber-cache/` beside the model has a body file
 * for each content that was reduced, named by its key. */
#ifndef LMB_STORE_BODY_CACHE_H
#define LMB_STORE_BODY_CACHE_H

#include "store/body_file.h"

/* Fills an empty body, which has its arena; name, version and warnings are added later. */
typedef lmb_status lmb_reduce_function(void *user, lmb_context *context, lmb_body_data *body);

/* The body of a key: from the cache beside the model file, or computed and kept there. *cached
 * tells which. A NULL key leaves the cache alone. A cache that cannot be read or written is no
 * error. Warnings of the reduction are given in both cases. */
lmb_status lmb_body_cached(lmb_body_data **out, bool *cached, lmb_context *context,
                           const char *model_file, const char *key, lmb_reduce_function *reduce,
                           void *user);

#endif
