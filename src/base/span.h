/* A part of a record, from one time to another. */
#ifndef LMB_BASE_SPAN_H
#define LMB_BASE_SPAN_H

#include <math.h>
#include <stdbool.h>

#include "base/format.h"

typedef struct lmb_span {
    double from, to; /* infinite where it has no limit */
} lmb_span;

static const lmb_span lmb_span_all = {-HUGE_VAL, HUGE_VAL};

static inline bool lmb_span_is_all(lmb_span span)
{
    return isinf(span.from) && isinf(span.to);
}

/* Whether a time lies in it, up to a tolerance. */
static inline bool lmb_span_holds(lmb_span span, double t, double tolerance)
{
    return t >= span.from - tolerance && t <= span.to + tolerance;
}

/* "from t = 1 on", "up to t = 2", "from t = 1 to 2", in text[96]. */
static inline void lmb_span_text(lmb_span span, const char *of, char text[96])
{
    if (isinf(span.to))
        lmb_snprintf(text, 96, "from %.32s = %.10g on", of, span.from);
    else if (isinf(span.from))
        lmb_snprintf(text, 96, "up to %.32s = %.10g", of, span.to);
    else
        lmb_snprintf(text, 96, "from %.32s = %.10g to %.10g", of, span.from, span.to);
}

#endif
