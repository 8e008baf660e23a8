/* Sheets as text: columns of numbers are flush right, those of words flush left. */
#include "cli/sheet_print.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/print.h"

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
    if (t->title)
        printf("\n%s\n", t->title);
    for (int i = -1; i < t->row_count; i++) {
        for (int k = 0; k < t->column_count; k++) {
            bool words, last = k + 1 == t->column_count;
            int width = width_of(t, k, &words);
            const char *text = cell(t, i, k);
            if (last && !text[0])
                break; /* no blanks at the end of a line */
            printf("%s", k > 0 || t->title ? "  " : "");
            if (!words)
                printf("%*s", width - lmb_text_width(text), "");
            if (words && !last)
                lmb_print_padded(stdout, text, width);
            else
                printf("%s", text);
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
