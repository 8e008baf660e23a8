/* Printing of texts and sheets, and the display of progress; see print.h. */
#include "cli/print.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"

enum { LINE_WIDTH = 80, BAR_WIDTH = 30, LINE_SECONDS = 10 };

int lmb_text_width(const char *text)
{
    return lmb_text_characters(text, strlen(text));
}

void lmb_print_padded(FILE *out, const char *text, int width)
{
    int blanks = width - lmb_text_width(text);
    fprintf(out, "%s%*s", text, blanks > 0 ? blanks : 0, "");
}

void lmb_print_wrapped(FILE *out, const char *text, int indent, bool there)
{
    int column = there ? indent : 0;
    for (const char *c = text; *c;) {
        size_t length = strcspn(c, " \n");
        if (length > 0) {
            if (column > indent && column + 1 + (int)length > LINE_WIDTH) {
                putc('\n', out);
                column = 0;
            }
            if (column == 0)
                column += fprintf(out, "%*s", indent, "");
            else if (column > indent)
                column += fprintf(out, " ");
            column += fprintf(out, "%.*s", (int)length, c);
            c += length;
        } else if (*c++ == '\n') {
            putc('\n', out);
            column = 0;
        } else if (column == 0) {
            column += fprintf(out, "%*s", indent + 1, ""); /* a line that is set in by the author */
        }
    }
    if (column > 0)
        putc('\n', out);
}

/* --- sheets ----------------------------------------------------------------------------------- */

static const char *cell(const lmb_sheet_table *t, int row, int column)
{
    return row < 0 ? t->head[column] : t->cells[row * t->column_count + column];
}

static bool is_number(const char *text)
{
    char *end;
    strtod(text, &end);
    return (text[0] && !*end) || strcmp(text, "-") == 0;
}

/* The width of a column, and whether it has words in it. */
static int width_of(const lmb_sheet_table *t, int column, bool *words)
{
    int width = 0;
    *words = t->row_count == 0;
    for (int i = -1; i < t->row_count; i++) {
        int own = lmb_text_width(cell(t, i, column));
        width = own > width ? own : width;
        *words = *words || (i >= 0 && !is_number(cell(t, i, column)));
    }
    return width;
}

static void print_table(const lmb_sheet_table *t)
{
    enum { MOST = 64 }; /* columns whose width is known; others are as wide as their texts */
    bool words[MOST];
    int width[MOST], known = t->column_count < MOST ? t->column_count : MOST;
    for (int k = 0; k < known; k++)
        width[k] = width_of(t, k, &words[k]);
    if (t->title)
        printf("\n%s\n", t->title);
    for (int i = -1; i < t->row_count; i++) {
        for (int k = 0; k < t->column_count; k++) {
            const char *text = cell(t, i, k);
            bool last = k + 1 == t->column_count;
            int blanks = k < known ? width[k] - lmb_text_width(text) : 0;
            bool left = k >= known || words[k];
            if (last && !text[0])
                break; /* no blanks at the end of a line */
            printf("%s%*s%s%*s", k > 0 || t->title ? "  " : "", left ? 0 : blanks, "", text,
                   left && !last ? blanks : 0, "");
        }
        printf("\n");
    }
}

void lmb_sheet_print_tables(const lmb_sheet *sheet)
{
    for (int i = 0; i < sheet->table_count; i++)
        print_table(&sheet->tables[i]);
}

void lmb_sheet_print_words(const lmb_sheet *sheet)
{
    for (int i = 0; i < sheet->sentence_count; i++)
        printf("%s%s\n", i ? "" : "\n", sheet->sentences[i]);
}

/* --- progress --------------------------------------------------------------------------------- */

static double seconds_between(struct timespec from, struct timespec to)
{
    return (double)(to.tv_sec - from.tv_sec) + 1e-9 * (double)(to.tv_nsec - from.tv_nsec);
}

/* A duration as a person would say it. */
static void format_duration(char text[32], double seconds)
{
    if (seconds < 99.5)
        snprintf(text, 32, "%.0f s", seconds);
    else if (seconds < 5940)
        snprintf(text, 32, "%.0f min", seconds / 60);
    else
        snprintf(text, 32, "%.1f h", fmin(seconds / 3600, 1e6));
}

static void show_bar(lmb_progress_display *d, double fraction, const char *left)
{
    char bar[BAR_WIDTH + 1];
    int full = (int)(fraction * BAR_WIDTH);
    for (int i = 0; i < BAR_WIDTH; i++)
        bar[i] = i < full ? '#' : '.';
    bar[BAR_WIDTH] = 0;
    fprintf(stderr, "\r\033[K%s [%s] %3.0f %%%s", d->what, bar, 100 * fraction, left);
    fflush(stderr);
    d->shown = true;
}

static bool show(void *display, const char *what, double fraction)
{
    lmb_progress_display *d = display;
    if (d->quiet)
        return lmb_interrupted();
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    /* another piece of work has a time of its own */
    if (strncmp(d->what, what, sizeof d->what - 1) != 0) {
        snprintf(d->what, sizeof d->what, "%s", what);
        d->start = now;
        d->from = fraction;
    }
    if (seconds_between(d->last, now) < (d->terminal ? 0.1 : LINE_SECONDS))
        return lmb_interrupted();
    d->last = now;
    fraction = fmin(fmax(fraction, 0), 1);
    char left[64] = "", duration[32];
    double spent = seconds_between(d->start, now);
    if (fraction > d->from + 0.001 && spent > 0.5) {
        format_duration(duration, spent * (1 - fraction) / (fraction - d->from));
        snprintf(left, sizeof left, ", %s left", duration);
    }
    if (d->terminal)
        show_bar(d, fraction, left);
    else
        fprintf(stderr, "%s: %.0f %%%s\n", d->what, 100 * fraction, left);
    return lmb_interrupted();
}

void lmb_progress_start(lmb_progress_display *d, lmb_context *context, bool quiet)
{
    *d = (lmb_progress_display){
        .context = context, .quiet = quiet, .terminal = isatty(STDERR_FILENO) == 1};
    clock_gettime(CLOCK_MONOTONIC, &d->start);
    d->last = d->start;
    lmb_context_on_progress(context, show, d);
}

void lmb_progress_done(lmb_progress_display *d)
{
    if (d->shown)
        fputs("\r\033[K", stderr);
    lmb_context_on_progress(d->context, NULL, NULL);
}
