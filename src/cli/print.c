/* Printing of texts and sheets; see print.h. */
#include "cli/print.h"

#include <stdlib.h>
#include <string.h>

#include "base/message.h"
#include "base/text.h"

enum { LINE_WIDTH = 80 };

int lmb_text_width(const char *text)
{
    return lmb_text_characters(text, strlen(text));
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

lmb_status lmb_sheet_print(const lmb_arguments *a, const lmb_sheet *sheet)
{
    if (sheet->failed)
        return lmb_fail_memory(a->context);
    for (int i = 0; i < sheet->table_count; i++)
        print_table(&sheet->tables[i]);
    return LMB_OK;
}

void lmb_sheet_print_words(const lmb_sheet *sheet)
{
    for (int i = 0; i < sheet->sentence_count; i++)
        printf("%s%s\n", i ? "" : "\n", sheet->sentences[i]);
}
