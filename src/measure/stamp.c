/* Stamps of date and time; see logger.h. */
#include "measure/logger.h"

#include <ctype.h>
#include <string.h>

typedef struct scanner {
    const char *now, *end;
} scanner;

static bool take(scanner *s, char c)
{
    bool there = s->now < s->end && *s->now == c;
    s->now += there;
    return there;
}

/* A whole number of one to `most` digits. */
static bool whole(scanner *s, int most, int *value)
{
    const char *start = s->now;
    *value = 0;
    while (s->now < s->end && s->now - start < most && isdigit((unsigned char)*s->now))
        *value = 10 * *value + (*s->now++ - '0');
    return s->now > start;
}

/* Days since some day long ago, by the Gregorian calendar. */
static long day_number(int year, int month, int day)
{
    int y = month > 2 ? year : year - 1, m = month > 2 ? month - 3 : month + 9;
    return 365L * y + y / 4 - y / 100 + y / 400 + (153 * m + 2) / 5 + day;
}

/* A date with blanks or a T behind it. Without one the scanner stays where it is. */
static bool scan_date(scanner *s, long *day)
{
    scanner at = *s;
    int a, b, c;
    char mark;
    if (!whole(&at, 4, &a) || at.now == at.end || !strchr("-/.", mark = *at.now) ||
        !take(&at, mark) || !whole(&at, 2, &b) || !take(&at, mark) || !whole(&at, 4, &c))
        return false;
    if (!take(&at, 'T') && !take(&at, ' '))
        return false;
    while (take(&at, ' '))
        ;
    if (a > 31) /* year, month, day */
        *day = day_number(a, b, c);
    else if (mark == '/') /* month, day, year */
        *day = day_number(c, a, b);
    else
        *day = day_number(c, b, a);
    *s = at;
    return true;
}

bool lmb_stamp_scan(const char *text, size_t length, long *day, double *seconds)
{
    scanner s = {text, text + length};
    int hours, minutes, full = 0;
    *day = 0;
    scan_date(&s, day);
    if (!whole(&s, 2, &hours) || !take(&s, ':') || !whole(&s, 2, &minutes) || minutes > 59)
        return false;
    if (take(&s, ':') && (!whole(&s, 2, &full) || full > 60))
        return false;
    double part = 0, unit = 1;
    if (take(&s, '.') || take(&s, ',') || take(&s, ':')) {
        /* digits as one whole number, which divided once is the nearest double */
        for (; s.now < s.end && isdigit((unsigned char)*s.now) && unit < 1e15; s.now++) {
            part = 10 * part + (*s.now - '0');
            unit *= 10;
        }
    }
    while (take(&s, ' '))
        ;
    bool pm = s.end - s.now >= 2 && (s.now[0] | 32) == 'p' && (s.now[1] | 32) == 'm';
    bool am = s.end - s.now >= 2 && (s.now[0] | 32) == 'a' && (s.now[1] | 32) == 'm';
    if (am || pm) {
        s.now += 2;
        hours = hours % 12 + (pm ? 12 : 0);
    } else if (take(&s, 'Z')) {
        /* nothing more */
    } else if (s.now < s.end && (*s.now == '+' || *s.now == '-')) {
        while (++s.now < s.end && (isdigit((unsigned char)*s.now) || *s.now == ':'))
            ;
    }
    *seconds = 3600.0 * hours + 60.0 * minutes + full + part / unit;
    return s.now == s.end && hours < 24;
}
