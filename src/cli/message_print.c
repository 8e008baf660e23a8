/* Printing of messages: what is wrong, the line it is in, a caret below it, and a hint.
 *
 *     model.yaml:12:16: error: there is no joint type 'revolut'
 *        12 |   main: {type: revolut, between: [ground, crank.O]}
 *           |                ^~~~~~~
 *       hint: did you mean 'revolute'? */
#include "cli/print.h"

#include <stdlib.h>
#include <unistd.h>

enum { TAB = 4, MOST_CELLS = 100, MOST_ERRORS = 20 };

/* Colours, or empty strings. */
typedef struct paint {
    const char *bold, *error, *warning, *quiet, *off;
} paint;

static paint choose_paint(FILE *out)
{
    const char *no_color = getenv("NO_COLOR");
    bool colours = isatty(fileno(out)) == 1 && !(no_color && no_color[0]);
    return colours ? (paint){"\033[1m", "\033[1;31m", "\033[1;35m", "\033[1;32m", "\033[0m"}
                   : (paint){"", "", "", "", ""};
}

/* A line as cells, each a character or a blank of a tab, of which some are printed; returns their
 * number. *column (from 1, in characters) becomes a cell (from 0), *length a number of cells. */
static int put_cells(FILE *out, const char *line, int from, int to, int *column, int *length)
{
    int count = 0, character = 1, first = -1, end = -1;
    for (const char *c = line; *c; character++) {
        size_t bytes = 1;
        while (((unsigned char)c[bytes] & 0xc0) == 0x80)
            bytes++;
        if (character == *column)
            first = count;
        if (character == *column + *length)
            end = count;
        bool tab = *c == '\t', control = (unsigned char)*c < 0x20 || *c == 0x7f;
        for (int left = tab ? TAB - count % TAB : 1; left > 0; left--, count++)
            if (count >= from && count < to)
                fwrite(tab ? " " : control ? "?" : c, 1, control ? 1 : bytes, out);
        c += bytes;
    }
    *column = first < 0 ? count : first;
    *length = (end < 0 ? count : end) - *column;
    return count;
}

/* Prints the cells of the line that fit, around the column, and the caret line below. */
static void print_source(FILE *out, const paint *p, const lmb_message *m)
{
    int column = m->column, length = m->length, ignored[2] = {0};
    int count = put_cells(out, m->source_line, 0, 0, &column, &length), start = 0, end = count;
    if (count > MOST_CELLS) {
        start = column > MOST_CELLS / 2 ? column - MOST_CELLS / 2 : 0;
        start = start > count - MOST_CELLS ? count - MOST_CELLS : start;
        end = start + MOST_CELLS;
    }
    fprintf(out, "%5d | %s", m->line, start > 0 ? "..." : "");
    put_cells(out, m->source_line, start, end, &ignored[0], &ignored[1]);
    fprintf(out, "%s\n", end < count ? "..." : "");
    fprintf(out, "      | %*s%s^", column - start + (start > 0 ? 3 : 0), "", p->quiet);
    for (int i = 1; i < length && column + i < end; i++)
        putc('~', out);
    fprintf(out, "%s\n", p->off);
}

static void print_message(FILE *out, const paint *p, const lmb_message *m)
{
    fputs(p->bold, out);
    if (!m->file[0])
        fputs("limber: ", out);
    else if (m->line > 0 && m->column > 0)
        fprintf(out, "%s:%d:%d: ", m->file, m->line, m->column);
    else if (m->line > 0)
        fprintf(out, "%s:%d: ", m->file, m->line);
    else
        fprintf(out, "%s: ", m->file);
    bool error = m->severity == LMB_ERROR;
    fprintf(out, "%s%s:%s %s%s%s\n", error ? p->error : p->warning, error ? "error" : "warning",
            p->off, p->bold, m->text, p->off);
    if (m->source_line[0] && m->line > 0 && m->column > 0)
        print_source(out, p, m);
    if (m->hint[0])
        fprintf(out, "  hint: %s\n", m->hint);
}

void lmb_print_messages(FILE *out, const lmb_context *context)
{
    paint p = choose_paint(out);
    size_t errors = 0;
    for (size_t i = 0; i < lmb_message_count(context); i++) {
        const lmb_message *m = lmb_message_at(context, i);
        errors += m->severity == LMB_ERROR;
        if (m->severity != LMB_ERROR || errors <= MOST_ERRORS)
            print_message(out, &p, m);
    }
    if (errors > MOST_ERRORS)
        fprintf(out, "limber: %zu more errors are not shown\n", errors - MOST_ERRORS);
}
