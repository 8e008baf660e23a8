/* A sheet: what a result says beside its channels, in sentences, tables and figures, as `limber
 * rotor` and `limber spectrum` make it. A report shows it as a page of its own. */
#ifndef LMB_REPORT_SHEET_H
#define LMB_REPORT_SHEET_H

#include "base/arena.h"
#include "report/plot.h"
#include "limber/context.h"

/* A table of texts; what reads as a number is shown as one. */
typedef struct lmb_sheet_table {
    const char *title; /* or NULL */
    int column_count, row_count;
    const char **head;  /* column_count */
    const char **cells; /* row_count x column_count */
    int filled;         /* cells so far */
} lmb_sheet_table;

typedef struct lmb_sheet {
    lmb_arena *arena;  /* of texts and tables, which says whether there was memory for all */
    const char *title; /* one word, such as "Rotor" */
    int sentence_count, table_count, figure_count;
    int lead; /* so many tables stand above the figures */
    const char **sentences;
    lmb_sheet_table *tables;
    lmb_plot *figures;
} lmb_sheet;

/* An empty sheet whose parts live in the arena. */
lmb_sheet lmb_sheet_start(lmb_arena *arena, const char *title);

/* Adds a sentence, of which the sheet keeps a copy. */
void lmb_sheet_say(lmb_sheet *sheet, const char *format, ...) LMB_PRINTF(2, 3);

/* Adds a table with columns whose heads stand between bars, "mode|frequency (Hz)"; and further
 * columns to the last table, as long as it has no rows. */
void lmb_sheet_table_add(lmb_sheet *sheet, const char *title, const char *heads);
void lmb_sheet_columns(lmb_sheet *sheet, const char *heads);

/* Adds a row to the last table, of cells by a format that has bars between them, "%d|%.6g"; and
 * further cells of the last row. A cell with a number that is none is a dash; what is not given is
 * empty. */
void lmb_sheet_row(lmb_sheet *sheet, const char *format, ...) LMB_PRINTF(2, 3);
void lmb_sheet_cells(lmb_sheet *sheet, const char *format, ...) LMB_PRINTF(2, 3);

/* Adds a figure, whose panels and curves live as long as the sheet. */
void lmb_sheet_figure(lmb_sheet *sheet, const lmb_plot *figure);

/* The sheet as a JSON text, to be freed, which a result keeps as its text "sheet":
 *
 *   {"title", "lead" (if any), "sentences": [..], "tables": [{"title", "head": [..], "rows": [[..],
 * ..]}], "figures": [{"title", "x_label", "equal", "alike", "logarithmic", "whole", "sideways",
 *                 "categories": [..] (if any),
 *                 "panels": [{"label", "curves": [{"label", "style", "x": [..], "y": [..],
 *                                                  "low": [..], "width" (of bars, if any)}]}]}]}
 *
 * NULL when out of memory. */
char *lmb_sheet_json(const lmb_sheet *sheet);

#endif
