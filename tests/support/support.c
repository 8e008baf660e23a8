/* The assertions of the tests. */
#include "support.h"

#include <math.h>
#include <string.h>

void assert_close(double value, double expected, double tolerance)
{
    double error = fabs(value - expected);
    if (!(error <= tolerance * fmax(1, fabs(expected))))
        fail_msg("%.17g is not %.17g to within %g (off by %.3g)", value, expected, tolerance,
                 error);
}

void assert_same_number(double value, double expected)
{
    if (memcmp(&value, &expected, sizeof value) != 0 && !(isnan(value) && isnan(expected)))
        fail_msg("%.17g is not %.17g", value, expected);
}

void assert_message(const lmb_context *context, const char *piece)
{
    size_t count = lmb_message_count(context);
    if (count == 0)
        fail_msg("there is no message; expected '%s'", piece);
    const lmb_message *newest = lmb_message_at(context, count - 1);
    if (!strstr(newest->text, piece) && !strstr(newest->hint, piece))
        fail_msg("the message is '%s' (hint '%s'); expected '%s'", newest->text, newest->hint,
                 piece);
}
