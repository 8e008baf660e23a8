/* Factors of quantities in scaled forms of generated models. */
#include <math.h>
#include <stdio.h>
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

const char *generated_unit(const char *units, bool angle, char *room, size_t size)
{
    const char *comma = units ? strstr(units, ", ") : NULL;
    const char *either = units ? strstr(units, " or ") : NULL;
    const char *second = comma ? comma + 2 : either ? either + 4 : NULL;
    if (!second)
        return units ? units : "";
    bool first = strcmp(units, "N m or N") == 0 ? angle : !angle;
    snprintf(room, size, "%.*s",
             first ? (int)((comma ? comma : either) - units) : (int)strlen(second),
             first ? units : second);
    return room;
}
