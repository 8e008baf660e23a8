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
