/* The measured function, in its own file so that it is not inlined and its instructions can be
 * counted. */
#include <stdio.h>

#include "measure.h"

double measured(lmb_context *context, const char *name, lmb_status advance(void *motion, double t),
                void *motion, double from, double to, int count)
{
    double begin = seconds();
    for (int i = 1; i <= count; i++)
        if (advance(motion, from + (to - from) * i / count))
            give_up(context);
    if (fixed_count())
        printf("measured: %s\n", name);
    return seconds() - begin;
}
