/* The options for files of measurements. */
#include "cli/measuring_options.h"

#include "base/message.h"
#include "cli/options.h"

lmb_status lmb_typed_measuring(const lmb_arguments *a, double *rate, bool *comma)
{
    const char *word = lmb_option_value(a, "--rate");
    *rate = 0;
    *comma = lmb_option_value(a, "--decimal-comma") != NULL;
    lmb_status status = word ? lmb_typed_number(a->context, "--rate", word, rate) : LMB_OK;
    if (!status && word && !(*rate > 0))
        status = lmb_fail(a->context, LMB_USAGE, "--rate needs a positive number of Hz");
    return status;
}

lmb_status lmb_typed_counterpart(const lmb_arguments *a, const char *path, lmb_compare_with *out)
{
    const char *shift = lmb_option_value(a, "--shift");
    *out = (lmb_compare_with){.path = path, .columns = lmb_option_values(a, "--column")};
    lmb_status status = lmb_typed_measuring(a, &out->rate, &out->comma);
    if (!status && shift)
        status = lmb_typed_number(a->context, "--shift", shift, &out->shift);
    return status;
}
