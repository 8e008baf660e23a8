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
