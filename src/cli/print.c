/* Printing of texts, sheets, matrices and messages; see print.h. */
#include "cli/print.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/message.h"
#include "base/text.h"
#include "report/report.h"

enum { LINE_WIDTH = 80 };

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

/* --- numbers ---------------------------------------------------------------------------------- */

void lmb_print_number(const char *before, double value)
{
    printf("%s%.17g", before, lmb_unsigned_nan(value));
}

lmb_status lmb_check_finite(lmb_context *context, const char *item, const char *quantity,
                            size_t count, const double *values)
{
    for (size_t i = 0; i < count; i++)
        if (!isfinite(values[i]))
            return lmb_fail(context, LMB_SOLVER, "the %s of '%s' is not a finite number", quantity,
                            item);
    return LMB_OK;
}

/* --- sheets ----------------------------------------------------------------------------------- */

/* The number of characters that lmb_print_inline prints. */
static int text_width(const char *text)
{
    int width = 0;
    char shown[LMB_SHOWN_ROOM];
    while (*text) {
        text += lmb_text_show(text, shown);
        width += lmb_text_characters(shown, strlen(shown));
    }
    return width;
}

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
        int own = text_width(cell(t, i, column));
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
        lmb_print_line("\n", t->title);
    for (int i = -1; i < t->row_count; i++) {
        for (int k = 0; k < t->column_count; k++) {
            const char *text = cell(t, i, k);
            bool last = k + 1 == t->column_count;
            int blanks = k < known ? width[k] - text_width(text) : 0;
            bool left = k >= known || words[k];
            if (last && !text[0])
                break; /* no blanks at the end of a line */
            printf("%s%*s", k > 0 || t->title ? "  " : "", left ? 0 : blanks, "");
            lmb_print_inline(stdout, text);
            printf("%*s", left && !last ? blanks : 0, "");
        }
        printf("\n");
    }
}

lmb_status lmb_sheet_print(const lmb_arguments *a, const lmb_sheet *sheet)
{
    if (!lmb_arena_fine(sheet->arena))
        return lmb_fail_memory(a->context);
    for (int i = 0; i < sheet->table_count; i++)
        print_table(&sheet->tables[i]);
    return LMB_OK;
}

void lmb_sheet_print_words(const lmb_sheet *sheet)
{
    for (int i = 0; i < sheet->sentence_count; i++)
        lmb_print_line(i ? "" : "\n", sheet->sentences[i]);
}

/* --- matrices --------------------------------------------------------------------------------- */

static double value_at(const lmb_named_matrix *m, int i, int j)
{
    int columns = m->columns ? m->columns : 1;
    return m->values[m->by_columns ? (size_t)j * (size_t)m->rows + (size_t)i
                                   : (size_t)i * (size_t)columns + (size_t)j];
}

/* The longest of some names, at least so much. */
static int longest(int count, const char *const *names, int least)
{
    for (int i = 0; i < count; i++)
        least = (int)strlen(names[i]) > least ? (int)strlen(names[i]) : least;
    return least;
}

static void print_matrix(const lmb_named_matrix *m, int digits)
{
    int width = longest(m->columns, m->column_names, digits + 7); /* sign, point and exponent */
    int head = longest(m->rows, m->row_names, 20);
    printf("%s: %s\n", m->name, m->doc);
    for (int j = 0; j < m->columns; j++)
        printf("%*s", j ? width + 1 : head + width + 1, m->column_names[j]);
    if (m->columns)
        printf("\n");
    for (int i = 0; i < m->rows; i++) {
        printf("%-*s", head, m->row_names[i]);
        for (int j = 0; j < (m->columns ? m->columns : 1); j++)
            printf(" %*.*g", width, digits, value_at(m, i, j));
        printf("\n");
    }
    printf("\n");
}

static void put_matrix(lmb_json *json, const lmb_named_matrix *m)
{
    lmb_json_open(json, m->name, '[');
    for (int i = 0; i < m->rows; i++) {
        if (m->columns)
            lmb_json_open_flat(json, NULL, '[');
        for (int j = 0; j < (m->columns ? m->columns : 1); j++)
            lmb_json_number(json, NULL, value_at(m, i, j));
        if (m->columns)
            lmb_json_close(json);
    }
    lmb_json_close(json);
}

void lmb_matrices_print(lmb_json *json, int digits, size_t list_count, const lmb_name_list *lists,
                        size_t count, const lmb_named_matrix *matrices)
{
    for (size_t i = 0; json && i < list_count; i++)
        lmb_json_texts(json, lists[i].key, (size_t)lists[i].count, lists[i].names);
    for (const lmb_named_matrix *m = matrices; m < matrices + count; m++)
        if (m->values && json)
            put_matrix(json, m);
        else if (m->values)
            print_matrix(m, digits);
}

lmb_status lmb_matrices_check(lmb_context *context, size_t count, const lmb_named_matrix *matrices)
{
    for (const lmb_named_matrix *m = matrices; m < matrices + count; m++)
        for (int i = 0; m->values && i < m->rows; i++)
            for (int j = 0; j < (m->columns ? m->columns : 1); j++)
                if (!isfinite(value_at(m, i, j)))
                    return lmb_fail(context, LMB_SOLVER,
                                    "row '%s' of %s has a number that is not finite",
                                    m->row_names ? m->row_names[i] : "", m->name);
    return LMB_OK;
}

/* --- messages --------------------------------------------------------------------------------- */

/* A message: what is wrong, the line it is in, a caret below it, and a hint.
 *
 *     model.yaml:12:16: error: there is no joint type 'revolut'
 *        12 |   main: {type: revolut, between: [ground, crank.O]}
 *           |                ^~~~~~~
 *       hint: did you mean 'revolute'? */
enum { TAB = 4, MOST_CELLS = 100, MOST_ERRORS = 20 };

/* Colours, or empty strings. */
typedef struct paint {
    const char *bold, *error, *warning, *quiet, *off;
} paint;

static paint choose_paint(void)
{
    const char *no_color = getenv("NO_COLOR");
    bool colours = isatty(STDERR_FILENO) == 1 && !(no_color && no_color[0]);
    return colours ? (paint){"\033[1m", "\033[1;31m", "\033[1;35m", "\033[1;32m", "\033[0m"}
                   : (paint){"", "", "", "", ""};
}

/* A line as cells, each a character or a blank of a tab, of which some are printed; returns their
 * number. An escape has several. *column (from 1, in characters) becomes a cell (from 0), *length a
 * number of cells. */
static int put_cells(const char *line, int from, int to, int *column, int *length)
{
    int count = 0, character = 1, first = -1, end = -1;
    for (const char *c = line; *c; character++) {
        char shown[LMB_SHOWN_ROOM];
        if (character == *column)
            first = count;
        if (character == *column + *length)
            end = count;
        bool tab = *c == '\t';
        c += lmb_text_show(c, shown);
        if (tab)
            snprintf(shown, sizeof shown, "%*s", TAB - count % TAB, "");
        for (const char *s = shown; *s; s += lmb_utf8_length(*s), count++)
            if (count >= from && count < to)
                fwrite(s, 1, lmb_utf8_length(*s), stderr);
    }
    *column = first < 0 ? count : first;
    *length = (end < 0 ? count : end) - *column;
    return count;
}

/* Print a text behind codes of the terminal. */
static void put(const char *codes, const char *text)
{
    lmb_control_terminal(codes);
    lmb_print_inline(stderr, text);
}

/* Prints the cells of the line that fit, around the column, and the caret line below. */
static void print_source(const paint *p, const lmb_message *m)
{
    int column = m->column, length = m->length, ignored[2] = {0};
    int count = put_cells(m->source_line, 0, 0, &column, &length), start = 0, end = count;
    if (count > MOST_CELLS) {
        start = column > MOST_CELLS / 2 ? column - MOST_CELLS / 2 : 0;
        start = start > count - MOST_CELLS ? count - MOST_CELLS : start;
        end = start + MOST_CELLS;
    }
    fprintf(stderr, "%5d | %s", m->line, start > 0 ? "..." : "");
    put_cells(m->source_line, start, end, &ignored[0], &ignored[1]);
    fprintf(stderr, "%s\n", end < count ? "..." : "");
    fprintf(stderr, "      | %*s", column - start + (start > 0 ? 3 : 0), "");
    put(p->quiet, "^");
    for (int i = 1; i < length && column + i < end; i++)
        putc('~', stderr);
    put(p->off, "");
    putc('\n', stderr);
}

static void print_message(const paint *p, const lmb_message *m)
{
    bool error = m->severity == LMB_ERROR;
    put(p->bold, m->file[0] ? m->file : "limber");
    if (m->file[0] && m->line > 0)
        fprintf(stderr, m->column > 0 ? ":%d:%d" : ":%d", m->line, m->column);
    fputs(": ", stderr);
    put(error ? p->error : p->warning, error ? "error:" : "warning:");
    put(p->off, " ");
    put(p->bold, m->text);
    put(p->off, "");
    putc('\n', stderr);
    if (m->source_line[0] && m->line > 0 && m->column > 0)
        print_source(p, m);
    if (m->hint[0]) {
        fputs("  hint: ", stderr);
        lmb_print_inline(stderr, m->hint);
        putc('\n', stderr);
    }
}

void lmb_print_messages(const lmb_context *context)
{
    paint p = choose_paint();
    size_t errors = 0;
    for (size_t i = 0; i < lmb_message_count(context); i++) {
        const lmb_message *m = lmb_message_at(context, i);
        errors += m->severity == LMB_ERROR;
        if (m->severity != LMB_ERROR || errors <= MOST_ERRORS)
            print_message(&p, m);
    }
    if (errors > MOST_ERRORS)
        fprintf(stderr, "limber: %zu more errors are not shown\n", errors - MOST_ERRORS);
}

lmb_status lmb_sheet_write(lmb_context *context, lmb_sheet *sheet, const char *title,
                           const char *path)
{
    lmb_report_request report = {.path = path};
    if (!lmb_ends_with(path, ".html"))
        return lmb_plot_write(context, &sheet->figures[0], path);
    for (size_t i = 0; i < lmb_message_count(context); i++)
        if (lmb_message_at(context, i)->severity == LMB_WARNING)
            lmb_sheet_say(sheet, "Warning: %s.", lmb_message_at(context, i)->text);
    return lmb_report_sheet(context, sheet, title, &report);
}
