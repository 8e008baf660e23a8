/* Sheets: sentences, tables and figures of a result, and their JSON text. */
#include "report/sheet.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/text.h"

lmb_sheet lmb_sheet_start(lmb_arena *arena, const char *title)
{
    return (lmb_sheet){.arena = arena, .title = title, .failed = !arena};
}

/* Whether there is room for one more; too much is a failure, as is having had no memory. */
static bool has_room(lmb_sheet *sheet, int count)
{
    sheet->failed = sheet->failed || count == LMB_SHEET_MOST || !lmb_arena_fine(sheet->arena);
    return !sheet->failed;
}

void lmb_sheet_say(lmb_sheet *sheet, const char *format, ...)
{
    va_list args;
    if (!has_room(sheet, sheet->sentence_count))
        return;
    va_start(args, format);
    const char *text = lmb_text_vformat(sheet->arena, format, args);
    va_end(args);
    sheet->sentences[sheet->sentence_count++] = text;
    sheet->failed = !text;
}

/* --- tables ----------------------------------------------------------------------------------- */

lmb_sheet_table *lmb_sheet_table_add(lmb_sheet *sheet, const char *title, const char *heads)
{
    if (!has_room(sheet, sheet->table_count))
        return NULL;
    lmb_sheet_table *t = &sheet->tables[sheet->table_count++];
    *t = (lmb_sheet_table){.title = title};
    lmb_sheet_columns(sheet, t, heads);
    return sheet->failed ? NULL : t;
}

void lmb_sheet_columns(lmb_sheet *sheet, lmb_sheet_table *t, const char *heads)
{
    for (const char *c = heads, *end; t && c && !sheet->failed; c = *end ? end + 1 : NULL) {
        size_t old = (size_t)t->column_count++;
        end = c + strcspn(c, "|");
        t->head = lmb_arena_grow(sheet->arena, t->head, old, old + 1, sizeof *t->head);
        const char *text = lmb_text_copy(sheet->arena, c, (size_t)(end - c));
        sheet->failed = !t->head || !text;
        if (!sheet->failed)
            t->head[old] = text;
    }
}

/* The text of a cell by its format of so many characters. */
static const char *cell_text(lmb_arena *arena, const char *format, size_t length, va_list *args)
{
    const char *text = "", *end = format + length;
    while (format < end && text) {
        /* up to the next conversion, which takes a value behind the text so far */
        const char *from = format, *percent = memchr(format, '%', (size_t)(end - format));
        char piece[128];
        format = percent ? percent + 2 + strcspn(percent + 1, "sgfdu%") : end;
        snprintf(piece, sizeof piece, "%%s%.*s", (int)(format - from), from);
        char type = percent ? format[-1] : '%', size = percent ? percent[1] : 0;
        if (type == 's') {
            text = lmb_text_format(arena, piece, text, va_arg(*args, const char *));
        } else if (type == 'g' || type == 'f') {
            double value = va_arg(*args, double);
            text = isfinite(value) ? lmb_text_format(arena, piece, text, value) : "-";
        } else if (type == 'u' && size == 'z') {
            text = lmb_text_format(arena, piece, text, va_arg(*args, size_t));
        } else if (type == 'd') {
            text = lmb_text_format(arena, piece, text, va_arg(*args, int));
        } else {
            text = lmb_text_format(arena, piece, text);
        }
    }
    return text;
}

static void put_cells(lmb_sheet *sheet, lmb_sheet_table *t, const char *format, va_list *args)
{
    size_t most = t ? (size_t)t->row_count * (size_t)t->column_count : 0;
    for (const char *c = format, *end; c && t && !sheet->failed && t->filled < most;
         c = *end ? end + 1 : NULL) {
        end = c + strcspn(c, "|");
        const char *text = cell_text(sheet->arena, c, (size_t)(end - c), args);
        t->cells[t->filled++] = text;
        sheet->failed = !text;
    }
}

void lmb_sheet_cells(lmb_sheet *sheet, lmb_sheet_table *t, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    put_cells(sheet, t, format, &args);
    va_end(args);
}

void lmb_sheet_row(lmb_sheet *sheet, lmb_sheet_table *t, const char *format, ...)
{
    va_list args;
    if (!t || sheet->failed)
        return;
    size_t width = (size_t)t->column_count, rows = (size_t)t->row_count;
    if ((rows & (rows + 1)) == 0) { /* full at 1, 3, 7, .. rows */
        t->cells = lmb_arena_grow(sheet->arena, t->cells, rows * width, (2 * rows + 1) * width,
                                  sizeof *t->cells);
        sheet->failed = !t->cells;
    }
    for (size_t k = rows * width; k < (rows + 1) * width && !sheet->failed; k++)
        t->cells[k] = "";
    t->filled = rows * width;
    t->row_count += !sheet->failed;
    va_start(args, format);
    put_cells(sheet, t, format, &args);
    va_end(args);
}

void lmb_sheet_figure(lmb_sheet *sheet, const lmb_plot *figure)
{
    if (has_room(sheet, sheet->figure_count))
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
    char *text = lmb_json_end_text(&json);
    if (!sheet->failed)
        return text;
    free(text);
    return NULL;
}
