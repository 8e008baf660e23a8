/* Stamps of date and time; see measurement.h. */
#include "base/format.h"
#include "measure/measurement.h"

#include <stdlib.h>
#include <string.h>

/* Days since some day long ago, by the Gregorian calendar. */
static long day_number(int year, int month, int day)
{
    int y = month > 2 ? year : year - 1, m = month > 2 ? month - 3 : month + 9;
    return 365L * y + y / 4 - y / 100 + y / 400 + (153 * m + 2) / 5 + day;
}

/* A date with blanks or a T behind it; returns its length, 0 where there is none. */
static int scan_date(const char *text, long *day)
{
    char first[5], mark[2], second[3], again[2], third[5];
    int length = 0;
    if (lmb_sscanf(text, "%4[0-9]%1[-/.]%2[0-9]%1[-/.]%4[0-9]%n", first, mark, second, again, third,
                   &length) != 5 ||
        *mark != *again || (text[length] != 'T' && text[length] != ' '))
        return 0;
    int a = atoi(first), b = atoi(second), c = atoi(third);
    if (a > 31) /* year, month, day */
        *day = day_number(a, b, c);
    else if (*mark == '/') /* month, day, year */
        *day = day_number(c, a, b);
    else
        *day = day_number(c, b, a);
    length++;
    return length + (int)strspn(text + length, " ");
}

bool lmb_stamp_scan(const char *text, size_t length, long *day, double *seconds)
{
    char copy[100] = "", hours[3], minutes[3], full[3] = "0";
    int used = 0;
    *day = 0;
    if (length >= sizeof copy)
        return false;
    memcpy(copy, text, length);
    const char *p = copy + scan_date(copy, day);
    if (lmb_sscanf(p, "%2[0-9]:%2[0-9]%n", hours, minutes, &used) != 2 || atoi(minutes) > 59)
        return false;
    p += used;
    if (*p == ':' && (lmb_sscanf(p, ":%2[0-9]%n", full, &used) != 1 || atoi(full) > 60))
        return false;
    p += *p == ':' ? used : 0;
    double part = 0, unit = 1;
    if (*p && strchr(".,:", *p))
        /* digits as one whole number, which divided once is the nearest double */
        for (p++; lmb_is_digit(*p) && unit < 1e15; unit *= 10)
            part = 10 * part + (*p++ - '0');
    p += strspn(p, " ");
    int hour = atoi(hours);
    bool pm = lmb_to_lower(p[0]) == 'p', am = lmb_to_lower(p[0]) == 'a';
    if ((am || pm) && lmb_to_lower(p[1]) == 'm') {
        hour = hour % 12 + (pm ? 12 : 0);
        p += 2;
    } else if (*p == 'Z') {
        p++;
    } else if (*p == '+' || *p == '-') {
        p += 1 + strspn(p + 1, "0123456789:");
    }
    *seconds = 3600.0 * hour + 60.0 * atoi(minutes) + atoi(full) + part / unit;
    return p == copy + length && hour < 24;
}
