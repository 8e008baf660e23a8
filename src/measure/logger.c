/* Tables of loggers; see measurement.h. The file is gone through twice: once to find its last
 * lines, which show the separator and what the columns hold, and once to read. */
#include "measure/measurement.h"

#include <limits.h>
#include <math.h>
#include <string.h>

#include "base/text.h"
#include "import/text_table.h"
#include "measure/unit_text.h"

enum { SAMPLE = 32, MOST_COLUMNS = 100000 };

typedef enum content { NOTHING, WORDS, NUMBER, STAMP } content;

typedef struct reader {
    lmb_context *context;
    lmb_arena *arena;
    lmb_scan scan; /* in front of the first line */
    lmb_place place;
    char separator; /* ' ' for any number of blanks */
    bool comma;     /* commas do not separate */
    int columns;
    content *contents; /* of the columns */
    lmb_cell *fields;  /* room for one more than the columns */
    long first_day, last_day;
    double last_seconds;
} reader;

/* --- lines and fields ------------------------------------------------------------------------- */

/* The fields of a line, of which one that begins with '#' or '%' is one of words. */
static int split(const reader *r, const lmb_scan *l, int most, lmb_cell *fields)
{
    lmb_scan words = *l;
    while (words.line < l->end && strchr("#% ", *words.line))
        words.line++;
    return lmb_line_split(&words, r->separator, most, fields);
}

/* Between quotes a comma cannot separate either. */
static bool is_number(const reader *r, const lmb_cell *f, double *value)
{
    return lmb_cell_number(f, r->separator != ',' || f->quoted, value);
}

/* Whether so many letters, of any size, are a word. */
static bool is_word(const char *text, size_t length, const char *word)
{
    return strlen(word) == length && lmb_same_letters_in(text, word, length);
}

/* Whether a field says that there is no value. */
static bool is_nothing(const lmb_cell *f)
{
    static const char *const words[] = {"nan",  "null",  "none", "n/a",   "#n/a",
                                        "na",   "ovl",   "over", "ol",    "inf",
                                        "-inf", "error", "err",  "#wert", "1#qnan"};
    bool nothing = strspn(f->start, "-*?#.") >= (size_t)f->length;
    for (size_t k = 0; !nothing && k < sizeof words / sizeof *words; k++)
        nothing = is_word(f->start, (size_t)f->length, words[k]);
    return nothing;
}

static content content_of(const reader *r, const lmb_cell *f)
{
    long day;
    double value;
    return is_number(r, f, &value)                                     ? NUMBER
           : is_nothing(f)                                             ? NOTHING
           : lmb_stamp_scan(f->start, (size_t)f->length, &day, &value) ? STAMP
                                                                       : WORDS;
}

/* --- what the columns hold -------------------------------------------------------------------- */

/* How little a separator suits a line: fields of words first, then few numbers. */
static int badness(reader *r, const lmb_scan *l, char separator)
{
    enum { MOST = 256 };
    lmb_cell fields[MOST];
    int score = 0;
    r->separator = separator;
    int count = split(r, l, MOST, fields);
    for (int i = 0; i < count && i < MOST; i++) {
        content c = content_of(r, &fields[i]);
        score += c == WORDS ? 1000 : c == NUMBER ? -1 : 0;
    }
    return score;
}

static char find_separator(reader *r, const lmb_scan *l)
{
    if (lmb_line_find(l, ';') || lmb_line_find(l, '\t'))
        return lmb_line_find(l, ';') ? ';' : '\t';
    if (!lmb_line_find(l, ',') || r->comma)
        return ' ';
    /* "12:00:01,250 1,5" has blanks between its fields, and decimal commas */
    return badness(r, l, ',') <= badness(r, l, ' ') ? ',' : ' ';
}

/* The separator and the columns of the line number `model` (from 0) of `count`, of which the last
 * ones are at hand. *some: there are numbers. */
static lmb_status columns_of(reader *r, const lmb_scan *last, size_t count, size_t model,
                             bool *some)
{
    size_t from = count > SAMPLE ? count - SAMPLE : 0;
    lmb_scan l = last[model % SAMPLE];
    r->place.line = l.number;
    r->place.column = 1;
    r->separator = find_separator(r, &l);
    r->columns = split(r, &l, 0, NULL);
    for (size_t i = from; i < model && r->separator == '\t'; i++) { /* tabs at the end are lost */
        int fields = split(r, &last[i % SAMPLE], 0, NULL);
        r->columns = i + 8 > model && fields > r->columns ? fields : r->columns;
    }
    if (r->columns > MOST_COLUMNS)
        return lmb_fail_at(r->context, r->place, "file has more than %d columns", MOST_COLUMNS);
    if (r->columns == 1 && r->separator == ' ') /* "acc [m/s^2]" is one name */
        r->separator = '\n';
    size_t width = (size_t)r->columns;
    r->contents = lmb_arena_alloc(r->arena, width, sizeof *r->contents);
    r->fields = lmb_arena_alloc(r->arena, width + 1, sizeof *r->fields);
    if (!lmb_arena_fine(r->arena))
        return lmb_fail_memory(r->context);
    for (size_t i = from; i <= model; i++) {
        l = last[i % SAMPLE];
        if (split(r, &l, r->columns, r->fields) != r->columns)
            continue;
        for (int k = 0; k < r->columns; k++) {
            content c = content_of(r, &r->fields[k]);
            if (c == NUMBER || (c != NOTHING && r->contents[k] == NOTHING) || i == model)
                r->contents[k] = c == NOTHING ? r->contents[k] : c;
        }
    }
    for (int k = 0; k < r->columns; k++)
        *some = *some || r->contents[k] == NUMBER;
    return LMB_OK;
}

/* Separator and columns from the last lines, of which the very last may have been cut off, unless
 * it is the only one of numbers. *lines: their number. */
static lmb_status find_columns(reader *r, size_t *lines)
{
    lmb_scan last[SAMPLE], at = r->scan;
    size_t count = 0;
    bool some = false;
    for (; lmb_line_next(&at); count++)
        last[count % SAMPLE] = at;
    *lines = count;
    if (count == 0)
        return lmb_fail_at(r->context, r->place, "file is empty");
    lmb_status status = columns_of(r, last, count, count > 1 ? count - 2 : 0, &some);
    if (!status && !some && count > 1)
        status = columns_of(r, last, count, count - 1, &some);
    if (!status && !some)
        status = lmb_fail_at(r->context, r->place, "there are no numbers at the end of the file");
    return status;
}

/* --- names and units -------------------------------------------------------------------------- */

/* Whether a text looks like a unit. */
static bool is_unit(const lmb_cell *f)
{
    static const char *const others[] = {"", "-", "EU", "dB", "C"};
    lmb_unit unit;
    const char *p = f->start;
    size_t length = (size_t)f->length;
    if (length > 1 && strchr("[(", p[0]) && strchr("])", p[length - 1]))
        return true;
    for (size_t i = 0; i < length; i++)
        if ((unsigned char)p[i] >= 0x80) /* a degree sign, a mu or a raised two */
            return length < 8;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (strlen(others[i]) == length && strncmp(others[i], p, length) == 0)
            return true;
    return lmb_unit_read(p, length, false, &unit);
}

/* Whether all fields of a line look like units. */
static bool is_units(reader *r, const lmb_scan *l)
{
    int count = split(r, l, r->columns, r->fields);
    for (int k = 0; k < r->columns && k < count; k++)
        if (!is_unit(&r->fields[k]))
            return false;
    return count >= r->columns;
}

/* "acc [m/s^2]" becomes "acc" and "m/s^2". */
static void cut_unit(char *name, char **unit)
{
    size_t length = strlen(name);
    char *open = length > 0 && strchr("])", name[length - 1]) ? strrchr(name, '[') : NULL;
    if (length > 0 && !open && name[length - 1] == ')')
        open = strrchr(name, '(');
    if (!open)
        return;
    name[length - 1] = 0;
    *unit = open + 1;
    *open = 0;
    while (open > name && lmb_is_blank(open[-1]))
        *--open = 0;
}

/* The fields of a line that may not be there. */
static char **texts_of(reader *r, const lmb_scan *l)
{
    char **texts = lmb_arena_alloc(r->arena, (size_t)r->columns, sizeof *texts);
    int count = l->line ? split(r, l, r->columns, r->fields) : 0;
    for (int k = 0; k < r->columns && texts; k++)
        texts[k] = k < count
                       ? lmb_text_utf8(r->arena, r->fields[k].start, (size_t)r->fields[k].length)
                       : lmb_text_utf8(r->arena, "", 0);
    return texts;
}

static lmb_status read_names(reader *r, const lmb_scan *title, const lmb_scan *units,
                             lmb_logger_table *out)
{
    out->names = texts_of(r, title);
    out->units = texts_of(r, units);
    for (int k = 0; k < r->columns && lmb_arena_fine(r->arena); k++) {
        char *unit = out->units[k];
        size_t length = strlen(unit);
        if (length > 1 && strchr("[(", unit[0]) && strchr("])", unit[length - 1])) {
            unit[length - 1] = 0;
            out->units[k] = unit + 1;
        } else if (length == 0 || strcmp(unit, "-") == 0) {
            out->units[k] = lmb_text_utf8(r->arena, "", 0);
            cut_unit(out->names[k], &out->units[k]);
        }
    }
    return lmb_check_memory(r->context, r->arena);
}

/* Whether a line can name the columns: as many words, the last of which may be empty. */
static bool is_title(reader *r, const lmb_scan *l)
{
    int count = split(r, l, r->columns + 1, r->fields), words = 0;
    for (int k = 0; k < count && k <= r->columns; k++) {
        content c = content_of(r, &r->fields[k]);
        if (c == NUMBER || c == STAMP)
            return false;
        words += c == WORDS;
    }
    return count <= r->columns + 1 && count + 1 >= r->columns && 2 * words >= r->columns;
}

/* --- rows ------------------------------------------------------------------------------------- */

/* Seconds since midnight of the first day; times without a date go on behind midnight. */
static double stamp_value(reader *r, const lmb_cell *f)
{
    long day;
    double seconds;
    if (!lmb_stamp_scan(f->start, (size_t)f->length, &day, &seconds))
        return NAN;
    if (r->first_day < 0)
        r->first_day = r->last_day = day;
    if (day == 0 && seconds < r->last_seconds - 43200)
        r->last_day++;
    r->last_seconds = seconds;
    r->last_day = day != 0 ? day : r->last_day;
    return 86400.0 * (double)(r->last_day - r->first_day) + seconds;
}

/* Reads a line of the table; false if it is no such line. *wrong: the first field that is not as it
 * should be, or the number of columns where there are too many. */
static bool read_row(reader *r, const lmb_scan *l, double *row, int *wrong)
{
    int count = split(r, l, r->columns + 1, r->fields);
    bool some = false;
    for (*wrong = 0; *wrong < r->columns; ++*wrong) {
        const lmb_cell *f = &r->fields[*wrong];
        content wanted = r->contents[*wrong];
        double *value = &row[*wrong];
        *value = NAN;
        if (*wrong >= count || wanted == WORDS || wanted == NOTHING)
            continue;
        if (wanted == STAMP)
            *value = stamp_value(r, f);
        else if (!is_number(r, f, value) || !isfinite(*value))
            *value = NAN;
        if (isnan(*value) && !is_nothing(f))
            return false;
        some = some || !isnan(*value);
    }
    bool more =
        count > r->columns + 1 || (count == r->columns + 1 && r->fields[r->columns].length > 0);
    return some && !more && *l->line != '#' && *l->line != '%';
}

/* Whether a line has no more than separators on it, or is a comment. */
static bool is_empty(const reader *r, const lmb_scan *l)
{
    const char *p = l->line;
    while (p < l->end && (lmb_is_blank(*p) || *p == r->separator))
        p++;
    return p == l->end || *p == '#' || *p == '%';
}

static lmb_status fail_row(const reader *r, const lmb_scan *l, int wrong)
{
    lmb_cell end = {l->end, 1, false};
    const lmb_cell *f = wrong < r->columns ? &r->fields[wrong] : &end;
    lmb_place place = {r->place.file, r->place.text, l->number, (int)(f->start - l->line) + 1,
                       f->length > 0 ? f->length : 1};
    return f == &end
               ? lmb_fail_at(r->context, place, "row does not have %d columns", r->columns)
               : lmb_fail_at(r->context, place, "'%.*s' is not a number", f->length, f->start);
}

/* Reads the rows from the present line on. A line soon after the first that is none belongs to the
 * head of the file, which has numbers too; the last one may have been cut off. *again: go on with
 * the head from the present line on. */
static lmb_status read_rows(reader *r, lmb_scan *l, lmb_logger_table *out, bool *again)
{
    enum { SOON = 5 };
    int wrong;
    *again = false;
    out->rows = 0;
    r->first_day = -1;
    r->last_seconds = 0;
    do {
        double *row = out->values + (size_t)out->rows * (size_t)r->columns;
        bool fine = read_row(r, l, row, &wrong);
        lmb_scan after = *l;
        if (fine && !isnan(row[r->columns - 1])) {
            out->rows++;
            continue;
        }
        bool last = !lmb_line_next(&after);
        bool cut = last && split(r, l, 0, NULL) < r->columns;
        out->rows += fine && !cut;
        *again = !fine && !last && !is_empty(r, l) && out->rows < SOON;
        if (last || *again)
            return LMB_OK;
        if (!fine && !is_empty(r, l))
            return fail_row(r, l, wrong);
    } while (lmb_line_next(l));
    return LMB_OK;
}

static lmb_status read_table(reader *r, lmb_logger_table *out)
{
    size_t lines;
    int wrong;
    bool again = true;
    lmb_status status = find_columns(r, &lines);
    if (status)
        return status;
    size_t width = (size_t)r->columns;
    lmb_scan at = r->scan, title = {0}, units = {0};
    out->columns = r->columns;
    out->values =
        lines <= INT_MAX ? lmb_arena_alloc(r->arena, lines, width * sizeof *out->values) : NULL;
    out->stamps = lmb_arena_alloc(r->arena, width, sizeof *out->stamps);
    if (!out->values || !out->stamps)
        return lmb_fail_memory(r->context);
    for (size_t k = 0; k < width; k++)
        out->stamps[k] = r->contents[k] == STAMP;
    bool found = lmb_line_next(&at);
    while (again && !status) {
        for (; found && !read_row(r, &at, out->values, &wrong); found = lmb_line_next(&at)) {
            if (title.line && is_units(r, &at)) {
                units = at;
            } else if (is_title(r, &at)) {
                title = at;
                units = (lmb_scan){0};
            }
        }
        if (!found)
            return lmb_fail_at(r->context, r->place, "file has no numbers");
        status = read_rows(r, &at, out, &again);
    }
    return !status && title.line ? read_names(r, &title, &units, out) : status;
}

lmb_status lmb_logger_read(lmb_context *context, lmb_arena *arena, const char *path, bool comma,
                           lmb_logger_table *out)
{
    reader r = {.context = context, .arena = arena, .comma = comma};
    *out = (lmb_logger_table){0};
    lmb_status status = lmb_cells_open(&r.scan, context, path);
    if (status)
        return status;
    r.place = (lmb_place){path, r.scan.start, 0, 0, 1};
    status = read_table(&r, out);
    lmb_scan_close(&r.scan);
    return status;
}

/* --- the column of times ---------------------------------------------------------------------- */

/* The seconds of a unit of time; 0 for another unit. */
static double seconds_of(const char *unit)
{
    lmb_ratio r;
    return unit[0] && lmb_unit_convert(unit, "s", &r) ? r.over / r.under : 0;
}

/* The unit at the end of a name such as "time_ms", or NULL. */
static const char *unit_behind(const char *name)
{
    const char *line = strrchr(name, '_');
    return line && seconds_of(line + 1) > 0 ? line + 1 : NULL;
}

/* Whether a name is a word, in letters of any size, alone or with a unit behind it. */
static bool is_named(const char *name, const char *word)
{
    const char *unit = unit_behind(name);
    return is_word(name, unit ? (size_t)(unit - 1 - name) : strlen(name), word);
}

static bool is_time(const lmb_logger_table *t, int column)
{
    static const char *const words[] = {
        "t",        "time",    "times",   "timestamp",   "time stamp",  "date/time",
        "datetime", "zeit",    "uhrzeit", "zeitstempel", "temps",       "tiempo",
        "tid",      "elapsed", "seconds", "sec",         "elapsed time"};
    if (t->units[column][0] && seconds_of(t->units[column]) <= 0)
        return false; /* T in degrees is none */
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (is_named(t->names[column], words[i]))
            return true;
    return false;
}

static bool grows(const lmb_logger_table *t)
{
    size_t width = (size_t)t->columns;
    for (size_t i = 1; i < (size_t)t->rows; i++)
        if (!(t->values[i * width] > t->values[(i - 1) * width]))
            return false;
    return true;
}

int lmb_logger_times(const lmb_logger_table *t)
{
    for (int i = 0; t->names && i < t->columns; i++)
        if (!t->stamps[i] && is_time(t, i))
            return i;
    for (int i = 0; t->stamps && i < t->columns; i++)
        if (t->stamps[i])
            return i;
    bool named = t->names && !is_named(t->names[0], "x") && !is_named(t->names[0], "x_value") &&
                 t->names[0][0] && seconds_of(t->units[0]) <= 0;
    return t->columns > 1 && !named && grows(t) ? 0 : -1;
}

double lmb_logger_time_factor(const lmb_logger_table *t, int column)
{
    if (!t->names || t->stamps[column])
        return 1;
    const char *unit = t->units[column][0] ? t->units[column] : unit_behind(t->names[column]);
    double seconds = unit ? seconds_of(unit) : 0;
    return seconds > 0 ? seconds : 1;
}
