/* Units as measurements name them: "mm/s^2", "N*m", "rpm", a degree sign. */
#ifndef LMB_MEASURE_UNIT_TEXT_H
#define LMB_MEASURE_UNIT_TEXT_H

#include <stdbool.h>
#include <stddef.h>

#include "import/units.h"

/* What SI units are made of. An angle counts as one of them, so that turns and radians differ. */
enum { LMB_LENGTH, LMB_MASS, LMB_TIME, LMB_ANGLE, LMB_CURRENT, LMB_TEMPERATURE, LMB_BASES };

typedef struct lmb_unit {
    lmb_ratio si; /* so many of the SI unit with the same powers */
    int powers[LMB_BASES];
} lmb_unit;

/* Reads length bytes of UTF-8: symbols with their prefixes and powers ("s2", "s^-2", a raised two),
 * with blanks, points or stars between them, each '/' before one of them; "g" may be gravity. False
 * where it is not understood. */
bool lmb_unit_read(const char *text, size_t length, bool g_is_gravity, lmb_unit *out);

/* Finds what makes values in one unit (`from`, "" where it is unknown) values in another ("": of
 * no unit, or not known): so many over so many. "g" is a gram, or the acceleration of gravity where
 * that matches; 1/min are turns where angles are wanted. False, and 1, where one cannot be made the
 * other or is not understood. */
bool lmb_unit_convert(const char *from, const char *to, lmb_ratio *factor);

#endif
