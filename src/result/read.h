/* Reading results as they were written: the inner side of limber/result.h. */
#ifndef LMB_RESULT_READ_H
#define LMB_RESULT_READ_H

#include "base/arena.h"
#include "store/h5.h"
#include "limber/result.h"

/* The number of the file format: 2 has like channels together. */
enum { LMB_RESULT_FORMAT = 2 };

/* What stands for the path of a result without a file. */
#define LMB_IN_MEMORY "result in memory"

/* Opens a result in memory, the bytes of a file, which become its own in any case. */
lmb_status lmb_result_adopt(lmb_result **out, lmb_context *context, unsigned char *bytes,
                            size_t size);

/* An existing file is replaced only if it may be a result: a slip of the hand in `-o` must not
 * cost somebody a model. */
lmb_status lmb_check_replaceable(lmb_context *context, const char *path);

hid_t lmb_result_file(const lmb_result *result);
const char *lmb_result_path(const lmb_result *result);

/* The type of an analysis as the model file has it ("dynamics"), in the arena; NULL if it has none.
 */
const char *lmb_result_analysis_type(const lmb_result *result, lmb_arena *arena, int analysis);

/* The index of the analysis of a name, or of the last one without a name; -1, with a message, where
 * there is none. */
int lmb_result_find_analysis(const lmb_result *result, lmb_context *context, const char *name);

/* The rows of an analysis, and the numbers of one: its time, then all channels in order. */
int lmb_result_row_count(const lmb_result *result, int analysis);
size_t lmb_result_width(const lmb_result *result, int analysis);

/* Reads some of them, from row `first` on, to the last bit. */
lmb_status lmb_result_rows(lmb_result *result, lmb_context *context, int analysis, int first,
                           int rows, double *values);

#endif
