/* Factors of quantities in scaled forms of generated models. */
#include <math.h>
#include <string.h>

#include "generated_models.h"
#include "measure/unit_text.h"

double generated_factor(const generated_form *form, const char *unit)
{
    const double scales[] = {[LMB_LENGTH] = form->length, form->mass, form->time};
    lmb_unit parts;
    double factor = 1;
    if (unit[0] == 0)
        return 1;
    if (!lmb_unit_read(unit, strlen(unit), false, &parts))
        return NAN;
    for (int i = LMB_LENGTH; i <= LMB_TIME; i++)
        if (scales[i] > 0)
            factor *= pow(scales[i], parts.powers[i]);
    return factor;
}
