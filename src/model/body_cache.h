/* Reduced bodies of a model file, computed once: `.limber-cache/` beside the model has a body file
 * for each content that was reduced. */
#ifndef LMB_MODEL_BODY_CACHE_H
#define LMB_MODEL_BODY_CACHE_H

#include "base/sha256.h"
#include "store/body_file.h"
#include "model/flexible_part.h"

/* The name of what a part would be reduced to: a hash of the program's version, all settings and
 * the contents of its files. */
lmb_status lmb_body_key(const lmb_flexible_part *part, lmb_context *context,
                        char key[LMB_SHA256_TEXT]);

/* The reduced body of a part: from the cache beside the model file, or computed and kept there.
 * *cached tells which. Without `use_cache` the cache is left alone. A cache that cannot be read or
 * written is no error. Warnings of the reduction are given in both cases. */
lmb_status lmb_part_reduce(lmb_flexible_part *part, lmb_context *context, const char *model_file,
                           bool use_cache, lmb_body_data **out, bool *cached);

#endif
