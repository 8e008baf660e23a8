/* Questions to a reduced body. */
#include "reduction/body_data.h"

#include <string.h>

bool lmb_lines_go_on(const lmb_body_data *d, int a, int b)
{
    const double *sa = d->line_section + (size_t)(a / 2) * LMB_LINE_NUMBERS;
    const double *sb = d->line_section + (size_t)(b / 2) * LMB_LINE_NUMBERS;
    const double *ya = d->line_axis + 3 * (size_t)(a / 2), *yb = d->line_axis + 3 * (size_t)(b / 2);
    const vec3 *x = d->reduced->x;
    const int *la = d->lines + a / 2 * 2, *lb = d->lines + b / 2 * 2;
    vec3 u = v3_unit(v3_sub(x[la[1]], x[la[0]])), w = v3_unit(v3_sub(x[lb[1]], x[lb[0]]));
    vec3 turned = v3_sub(v3(ya[0], ya[1], ya[2]), v3(yb[0], yb[1], yb[2]));
    return a % 2 != b % 2 && memcmp(sa, sb, LMB_LINE_NUMBERS * sizeof *sa) == 0 &&
           v3_dot(u, w) > 1 - 1e-9 && v3_norm(turned) < 1e-4;
}
