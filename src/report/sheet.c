/* Sheets: sentences, tables and figures of a result, and their JSON text. */
#include "report/sheet.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/json.h"
#include "base/text.h"

lmb_sheet lmb_sheet_start(lmb_arena *arena, const char *title)
{
    return (lmb_sheet){.arena = arena, .title = title, .failed = !arena};
}

void lmb_sheet_say(lmb_sheet *sheet, const char *format, ...)
{
    va_list args;
    if (sheet->failed || sheet->sentence_count == LMB_SHEET_MOST) {
        sheet->failed = true;
        return;
    }
    va_start(args, format);
    const char *text = lmb_text_vformat(sheet->arena, format, args);
    va_end(args);
    sheet->sentences[sheet->sentence_count++] = text;
    sheet->failed = !text;
}

lmb_sheet_table *lmb_sheet_table_add(lmb_sheet *sheet, const char *title, int rows, int columns,
                                     const char *const *head)
{
    size_t cells = (size_t)rows * (size_t)columns;
    if (sheet->failed || sheet->table_count == LMB_SHEET_MOST) {
        sheet->failed = true;
        return NULL;
    }
    lmb_sheet_table *t = &sheet->tables[sheet->table_count++];
    *t = (lmb_sheet_table){title, columns, rows, head,
                           lmb_arena_alloc(sheet->arena, cells + 1, sizeof *t->cells)};
    sheet->failed = !t->cells;
    for (size_t i = 0; i < cells && t->cells; i++)
        t->cells[i] = "";
    return sheet->failed ? NULL : t;
}

void lmb_sheet_cell(lmb_sheet *sheet, lmb_sheet_table *table, int row, int column,
                    const char *format, ...)
{
    va_list args;
    if (!table)
        return;
    va_start(args, format);
    const char *text = lmb_text_vformat(sheet->arena, format, args);
    va_end(args);
    table->cells[row * table->column_count + column] = text;
    sheet->failed = sheet->failed || !text;
}

void lmb_sheet_number(lmb_sheet *sheet, lmb_sheet_table *table, int row, int column,
                      const char *format, double value)
{
    char text[64];
    snprintf(text, sizeof text, format, value);
    lmb_sheet_cell(sheet, table, row, column, "%s", isfinite(value) ? text : "-");
}

void lmb_sheet_figure(lmb_sheet *sheet, const lmb_plot *figure)
{
    if (sheet->failed || sheet->figure_count == LMB_SHEET_MOST)
        sheet->failed = true;
    else
        sheet->figures[sheet->figure_count++] = *figure;
}

/* --- JSON ------------------------------------------------------------------------------------- */

/* Numbers for drawing: six digits tell pixels apart. */
static void put_points(lmb_json *json, const char *key, int count, const double *values)
{
    lmb_json_open(json, key, '[');
    for (int i = 0; i < count; i++)
        lmb_json_rounded(json, NULL, values[i], 6);
    lmb_json_close(json);
}

static void put_figure(lmb_json *json, const lmb_plot *figure)
{
    static const char *const styles[] = {"line", "points", "marks"};
    lmb_json_open(json, NULL, '{');
    lmb_json_put(json, "title %s, x_label %s, equal %hhd", figure->title, figure->x_label,
                 figure->equal);
    if (figure->logarithmic)
        lmb_json_bool(json, "logarithmic", true);
    if (figure->whole)
        lmb_json_bool(json, "whole", true);
    if (figure->alike)
        lmb_json_integer(json, "alike", figure->alike);
    lmb_json_open(json, "panels", '[');
    for (int k = 0; k < figure->panel_count; k++) {
        const lmb_plot_panel *p = &figure->panels[k];
        lmb_json_open(json, NULL, '{');
        lmb_json_text(json, "label", p->label);
        lmb_json_open(json, "curves", '[');
        for (int i = 0; i < p->count; i++) {
            const lmb_curve *c = &p->curves[i];
            lmb_json_open(json, NULL, '{');
            lmb_json_put(json, "label %s, style %s", c->label, styles[c->style]);
            put_points(json, "x", c->count, c->x);
            put_points(json, "y", c->count, c->y);
            lmb_json_close(json);
        }
        lmb_json_close(json);
        lmb_json_close(json);
    }
    lmb_json_close(json);
    lmb_json_close(json);
}

static void put_table(lmb_json *json, const lmb_sheet_table *t)
{
    lmb_json_open(json, NULL, '{');
    lmb_json_text(json, "title", t->title);
    lmb_json_texts(json, "head", (size_t)t->column_count, t->head);
    lmb_json_open(json, "rows", '[');
    for (int i = 0; i < t->row_count; i++)
        lmb_json_texts(json, NULL, (size_t)t->column_count, t->cells + i * t->column_count);
    lmb_json_close(json);
    lmb_json_close(json);
}

char *lmb_sheet_json(const lmb_sheet *sheet)
{
    lmb_json json;
    lmb_json_start_text(&json);
    lmb_json_open_flat(&json, NULL, '{');
    lmb_json_text(&json, "title", sheet->title);
    lmb_json_texts(&json, "sentences", (size_t)sheet->sentence_count, sheet->sentences);
    lmb_json_open(&json, "tables", '[');
    for (int i = 0; i < sheet->table_count; i++)
        put_table(&json, &sheet->tables[i]);
    lmb_json_close(&json);
    lmb_json_open(&json, "figures", '[');
    for (int i = 0; i < sheet->figure_count; i++)
        put_figure(&json, &sheet->figures[i]);
    lmb_json_close(&json);
    lmb_json_close(&json);
    char *text = lmb_json_end_text(&json);
    if (!sheet->failed)
        return text;
    free(text);
    return NULL;
}
