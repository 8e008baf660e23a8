/* Memory from the system that remembers when there was none.
 *
 * A failed allocation leaves a mark with its thread, as errno is one, until lmb_memory_failed takes
 * it. A context does so with every message and wherever work ends (base/message.h). So memory that
 * ran out in a function without a context, whose caller takes NULL or false for something else, is
 * told all the same and is never a success. A library that cannot be loaded leaves such a mark too,
 * with its reason. */
#ifndef LMB_BASE_MEMORY_H
#define LMB_BASE_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* As malloc, calloc, realloc and strdup; what they return is freed by free. */
void *lmb_malloc(size_t size);
void *lmb_calloc(size_t count, size_t size);
void *lmb_realloc(void *old, size_t size);
char *lmb_strdup(const char *text);

/* As open_memstream; closed by lmb_text_close, which returns false where memory ran out while it
 * was written (or of NULL). The text is freed by free in either case. */
FILE *lmb_text_open(char **text, size_t *size);
bool lmb_text_close(FILE *stream);

/* Leaves the mark: for what fails otherwise, as a library or a thread that was helping. */
void lmb_memory_fail(void);

/* Leave the mark for another reason, a string that is never freed. NULL: do nothing. */
void lmb_memory_fail_for(const char *reason);

/* Take the mark away. Returns its reason, or NULL if there is no mark. */
const char *lmb_memory_failed(void);

#endif
