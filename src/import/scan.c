/* Reading the text files of other programs.
 *
 * A file is read as a whole and then gone through line by line; a line may end with LF or CRLF.
 * Numbers do not depend on the locale. */
#include "import/scan.h"

#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/file.h"
#include "math/expr_internal.h"

bool lmb_is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

/* --- The file --- */

void lmb_scan_start(lmb_scan *scan)
{
    bool mark = strncmp(scan->text, "\xEF\xBB\xBF", 3) == 0;
    scan->start = scan->text + (mark ? 3 : 0);
    scan->line = scan->end = scan->now = scan->next = scan->start;
    scan->number = 0;
}

lmb_status lmb_scan_open(lmb_scan *scan, lmb_context *context, const char *path)
{
    *scan = (lmb_scan){.context = context, .file = path};
    lmb_status status = lmb_read_file(&scan->text, &scan->size, context, path);
    if (!status)
        lmb_scan_start(scan);
    return status;
}

void lmb_scan_close(lmb_scan *scan)
{
    free(scan->text);
    scan->text = NULL;
}

bool lmb_scan_line(lmb_scan *scan)
{
    const char *stop = scan->text + scan->size;
    if (scan->status || scan->next >= stop)
        return false;
    scan->line = scan->now = scan->next;
    const char *end = memchr(scan->line, '\n', (size_t)(stop - scan->line));
    scan->next = end ? end + 1 : stop;
    scan->end = end ? end : stop;
    while (scan->end > scan->line && lmb_is_blank(scan->end[-1]))
        scan->end--;
    scan->number++;
    return true;
}

void lmb_scan_again(lmb_scan *scan)
{
    scan->next = scan->line;
    scan->number--;
}

/* --- Messages --- */

lmb_status lmb_scan_fail(lmb_scan *scan, const char *format, ...)
{
    char text[500];
    va_list args;
    if (scan->status)
        return scan->status;
    va_start(args, format);
    lmb_vsnprintf(text, sizeof text, format, args);
    va_end(args);
    int line = scan->number > 0 ? scan->number : 0;
    lmb_place place = {scan->file, line ? scan->start : NULL, line, 0, 1};
    return scan->status = lmb_fail_at(scan->context, place, "%s", text);
}

void lmb_scan_need_line(lmb_scan *scan, const char *what)
{
    if (!lmb_scan_line(scan))
        lmb_scan_fail(scan, "the file ends early: %s is missing", what);
}

static bool check_memory(lmb_scan *scan, bool fine)
{
    if (!fine && !scan->status)
        scan->status = lmb_fail_memory(scan->context);
    return fine;
}

bool lmb_scan_append(lmb_scan *scan, lmb_list *list, const void *item, size_t size)
{
    void *added = lmb_list_add(list, size);
    if (added)
        memcpy(added, item, size);
    return check_memory(scan, added);
}

bool lmb_scan_place_number(lmb_scan *scan, lmb_numbers *numbers, int number, size_t place)
{
    return check_memory(scan, lmb_numbers_add(numbers, number, (int)place));
}

bool lmb_scan_place_name(lmb_scan *scan, lmb_arena *arena, lmb_names *names, const char *name,
                         size_t place)
{
    return check_memory(scan, lmb_names_add(names, arena, name, 0, (int)place));
}

const char *lmb_scan_copy(lmb_scan *scan, lmb_arena *arena, lmb_word word)
{
    const char *copy = lmb_text_copy(arena, word.start, (size_t)word.length);
    check_memory(scan, copy);
    return copy;
}

/* --- Words --- */

lmb_word lmb_word_trim(lmb_word word)
{
    while (word.length > 0 && lmb_is_blank(word.start[word.length - 1]))
        word.length--;
    while (word.length > 0 && lmb_is_blank(*word.start)) {
        word.start++;
        word.length--;
    }
    return word;
}

lmb_word lmb_file_ending(const char *path)
{
    const char *slash = strrchr(path, '/'), *dot = strrchr(slash ? slash : path, '.');
    return lmb_word_of(dot ? dot : path + strlen(path));
}

bool lmb_scan_word(lmb_scan *scan, lmb_word *word)
{
    const char *p = scan->now;
    while (p < scan->end && lmb_is_blank(*p))
        p++;
    word->start = p;
    if (scan->status || p >= scan->end)
        return false;
    while (p < scan->end && !lmb_is_blank(*p) && *p != ',')
        p++;
    word->length = (int)(p - word->start);
    while (p < scan->end && lmb_is_blank(*p))
        p++;
    scan->now = p < scan->end && *p == ',' ? p + 1 : p;
    return true;
}

bool lmb_scan_field(lmb_scan *scan, lmb_word *field)
{
    if (scan->status || scan->now >= scan->end)
        return false;
    const char *p = scan->now;
    bool quoted = false;
    for (; p < scan->end && (quoted || *p != ','); p++)
        if (*p == '"')
            quoted = !quoted;
    *field = lmb_word_trim((lmb_word){scan->now, (int)(p - scan->now)});
    scan->now = p < scan->end ? p + 1 : p;
    return true;
}

bool lmb_scan_token(lmb_scan *scan, lmb_word *word)
{
    while (!lmb_scan_word(scan, word))
        if (!lmb_scan_line(scan))
            return false;
    return true;
}

int lmb_scan_words(lmb_scan *scan, lmb_word *words, int most)
{
    int count = 0;
    while (count < most && lmb_scan_word(scan, &words[count]))
        count++;
    return count;
}

lmb_word lmb_scan_columns(const lmb_scan *scan, int from, int width)
{
    int length = scan->end - scan->line < INT_MAX ? (int)(scan->end - scan->line) : INT_MAX;
    if (from >= length)
        return (lmb_word){scan->end, 0};
    return lmb_word_trim(
        (lmb_word){scan->line + from, length - from < width ? length - from : width});
}

lmb_word lmb_scan_text(const lmb_scan *scan)
{
    return lmb_word_trim((lmb_word){scan->line, (int)(scan->end - scan->line)});
}

bool lmb_word_begins(lmb_word word, const char *text)
{
    int i = 0;
    for (; text[i]; i++)
        if (i >= word.length || lmb_to_upper(word.start[i]) != lmb_to_upper(text[i]))
            return false;
    return true;
}

bool lmb_word_is(lmb_word word, const char *text)
{
    return (size_t)word.length == strlen(text) && lmb_word_begins(word, text);
}

/* --- Numbers --- */

/* An exponent may begin with e, E, d, D or its sign alone. */
bool lmb_word_number(lmb_word word, double *value)
{
    enum { LONGEST = 200 };
    char text[2 * LONGEST];
    int size = 0;
    bool sign = word.length > 0 && (*word.start == '-' || *word.start == '+');
    for (int i = sign; i < word.length && i < LONGEST; i++) {
        char c = word.start[i];
        if ((c == '+' || c == '-') && size > 0 && strchr("0123456789.", text[size - 1]))
            text[size++] = 'e';
        text[size++] = c == 'd' || c == 'D' ? 'e' : c;
    }
    text[size] = 0;
    const char *end = lmb_number_scan(text, value);
    if (end == text || end != text + size || word.length > LONGEST)
        return false;
    *value = *word.start == '-' ? -*value : *value;
    return true;
}

bool lmb_word_integer(lmb_word word, int *value)
{
    if (word.length == 0)
        return false;
    const char *p = word.start, *end = p + word.length;
    bool negative = p < end && *p == '-';
    p += p < end && (*p == '-' || *p == '+');
    if (p >= end)
        return false;
    long long sum = 0;
    for (; p < end && lmb_is_digit(*p) && sum <= INT_MAX; p++)
        sum = 10 * sum + (*p - '0');
    if (p < end || sum > INT_MAX)
        return false;
    *value = (int)(negative ? -sum : sum);
    return true;
}

static void fail_word(lmb_scan *scan, lmb_word word, const char *what, const char *complaint)
{
    if (word.length == 0)
        lmb_scan_fail(scan, "%s is missing", what);
    else
        lmb_scan_fail(scan, "%s: '%.*s' is %s", what, word.length < 40 ? word.length : 40,
                      word.start, complaint);
}

double lmb_scan_number_of(lmb_scan *scan, lmb_word word, const char *what)
{
    double value = 0;
    if (!lmb_word_number(word, &value))
        fail_word(scan, word, what, "not a number");
    else if (!isfinite(value))
        fail_word(scan, word, what, "too large");
    return scan->status ? 0 : value;
}

int lmb_scan_integer_of(lmb_scan *scan, lmb_word word, const char *what)
{
    int value = 0;
    if (!lmb_word_integer(word, &value))
        fail_word(scan, word, what, "not a whole number");
    return scan->status ? 0 : value;
}

void lmb_scan_optional(lmb_scan *scan, lmb_word word, const char *what, double *value)
{
    if (word.length > 0)
        *value = lmb_scan_number_of(scan, word, what);
}

static lmb_word next_word(lmb_scan *scan)
{
    lmb_word word = {scan->end, 0};
    lmb_scan_word(scan, &word);
    return word;
}

double lmb_scan_number(lmb_scan *scan, const char *what)
{
    return lmb_scan_number_of(scan, next_word(scan), what);
}

int lmb_scan_integer(lmb_scan *scan, const char *what)
{
    return lmb_scan_integer_of(scan, next_word(scan), what);
}

void lmb_scan_numbers(lmb_scan *scan, const char *what, double *values, int count)
{
    for (int i = 0; i < count; i++)
        values[i] = lmb_scan_number(scan, what);
}

/* --- Fortran formats --- */

/* A whole number at a place of a format, or `otherwise`. */
static int take_count(const char **p, int otherwise)
{
    char *end;
    if (!lmb_is_digit(**p))
        return otherwise;
    long count = strtol(*p, &end, 10);
    *p = end;
    return count < 100000 ? (int)count : 100000;
}

/* The text of the file ends with a zero, so that a format may be read up to what is none of it. */
int lmb_fortran_columns(lmb_word format, lmb_fortran_column *columns, int most)
{
    const char *p = format.start, *end = p + format.length;
    int count = 0, from = 0;
    while (p < end && (*p == '(' || lmb_is_blank(*p)))
        p++;
    while (p < end && *p != ')') {
        if (*p == ',' || lmb_is_blank(*p)) {
            p++;
            continue;
        }
        int repeat = take_count(&p, 1);
        char type = p < end ? lmb_to_upper(*p) : 0;
        if (!type || !strchr("IEDFGAXP", type))
            return 0;
        p++;
        if (type == 'X')
            from += repeat;
        if (type == 'X' || type == 'P')
            continue;
        int width = take_count(&p, 0);
        p += strspn(p, ".0123456789"); /* the digits behind a width: .13e3 */
        if ((*p == 'e' || *p == 'E') && lmb_is_digit(p[1]))
            p += 1 + strspn(p + 1, "0123456789");
        for (int i = 0; i < repeat && count < most && width > 0; i++, from += width)
            columns[count++] = (lmb_fortran_column){from, width, type};
    }
    return count;
}
