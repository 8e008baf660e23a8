/* Stamps of date and time, as loggers write them. */
#ifndef LMB_MEASURE_STAMP_H
#define LMB_MEASURE_STAMP_H

#include <stdbool.h>
#include <stddef.h>

/* Reads "12:30:01.250", with a comma or a point, hours of 0 to 23 or with AM and PM, and with a
 * date in front ("2024-05-31T", "2024/05/31 ", "31.05.2024 ", "5/31/2024 ") or a zone behind ("Z",
 * "+02:00", which is left out of account). *day counts from any one day, and is 0 without a date;
 * *seconds from midnight on. False where the text is none of these. */
bool lmb_stamp_scan(const char *text, size_t length, long *day, double *seconds);

#endif
