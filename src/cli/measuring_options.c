/* The options for files of measurements. */
#include "cli/measuring_options.h"

#include "base/message.h"
#include "cli/options.h"

lmb_status lmb_typed_measuring(const lmb_arguments *a, double *rate, bool *comma)
{
    bool given;
    *rate = 0;
    *comma = lmb_option_value(a, "--decimal-comma") != NULL;
    lmb_status status = lmb_typed_option(a, "--rate", rate, &given);
    if (!status && given && !(*rate > 0))
        status = lmb_fail(a->context, LMB_USAGE, "--rate needs a positive number of Hz");
    return status;
}

lmb_status lmb_typed_counterpart(const lmb_arguments *a, const char *path, lmb_compare_with *out)
{
    *out = (lmb_compare_with){.path = path, .columns = lmb_option_values(a, "--column")};
    lmb_status status = lmb_typed_measuring(a, &out->rate, &out->comma);
    return status ? status : lmb_typed_option(a, "--shift", &out->shift, NULL);
}
