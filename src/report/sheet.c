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
    return (lmb_sheet){.arena = arena, .title = title};
}

/* Adds a text to a list. */
static void add_text(lmb_arena *arena, const char ***list, int *count, const char *text)
{
    const char **grown = lmb_arena_append(arena, *list, *count, sizeof *grown);
    if (!lmb_arena_fine(arena))
        return;
    *list = grown;
    grown[(*count)++] = text;
}

void lmb_sheet_say(lmb_sheet *sheet, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    add_text(sheet->arena, &sheet->sentences, &sheet->sentence_count,
             lmb_text_vformat(sheet->arena, format, args));
    va_end(args);
}

/* --- tables ----------------------------------------------------------------------------------- */

void lmb_sheet_table_add(lmb_sheet *sheet, const char *title, const char *heads)
{
    lmb_sheet_table *grown =
        lmb_arena_append(sheet->arena, sheet->tables, sheet->table_count, sizeof *grown);
    if (!lmb_arena_fine(sheet->arena))
        return;
    sheet->tables = grown;
    grown[sheet->table_count++] = (lmb_sheet_table){.title = title};
    lmb_sheet_columns(sheet, heads);
}

/* The last table, or NULL where there was no memory for what it has. */
static lmb_sheet_table *last_table(lmb_sheet *sheet)
{
    return lmb_arena_fine(sheet->arena) ? &sheet->tables[sheet->table_count - 1] : NULL;
}

void lmb_sheet_columns(lmb_sheet *sheet, const char *heads)
{
    lmb_sheet_table *t = last_table(sheet);
    for (const char *c = heads, *end; t && c; c = *end ? end + 1 : NULL) {
        end = c + strcspn(c, "|");
        add_text(sheet->arena, &t->head, &t->column_count,
                 lmb_text_copy(sheet->arena, c, (size_t)(end - c)));
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
        lmb_snprintf(piece, sizeof piece, "%%s%.*s", (int)(format - from), from);
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

static void put_cells(lmb_sheet *sheet, const char *format, va_list *args)
{
    lmb_sheet_table *t = last_table(sheet);
    for (const char *c = format, *end;
         c && t && t->filled < t->row_count * t->column_count && lmb_arena_fine(sheet->arena);
         c = *end ? end + 1 : NULL) {
        end = c + strcspn(c, "|");
        t->cells[t->filled++] = cell_text(sheet->arena, c, (size_t)(end - c), args);
    }
}

void lmb_sheet_cells(lmb_sheet *sheet, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    put_cells(sheet, format, &args);
    va_end(args);
}

void lmb_sheet_row(lmb_sheet *sheet, const char *format, ...)
{
    va_list args;
    lmb_sheet_table *t = last_table(sheet);
    int first = t ? t->row_count * t->column_count : 0, count = first;
    for (int k = 0; t && k < t->column_count; k++)
        add_text(sheet->arena, &t->cells, &count, "");
    if (!lmb_arena_fine(sheet->arena))
        return;
    t->filled = first;
    t->row_count++;
    va_start(args, format);
    put_cells(sheet, format, &args);
    va_end(args);
}

void lmb_sheet_figure(lmb_sheet *sheet, const lmb_plot *figure)
{
    lmb_plot *grown =
        lmb_arena_append(sheet->arena, sheet->figures, sheet->figure_count, sizeof *grown);
    if (!lmb_arena_fine(sheet->arena))
        return;
    sheet->figures = grown;
    grown[sheet->figure_count++] = *figure;
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
    static const char *const styles[] = {"line", "points", "marks", "bars", "dots"};
    lmb_json_open(json, NULL, '{');
    lmb_json_put(json, "title %s, x_label %s, equal %hhd", figure->title, figure->x_label,
                 figure->equal);
    if (figure->logarithmic)
        lmb_json_bool(json, "logarithmic", true);
    if (figure->whole)
        lmb_json_bool(json, "whole", true);
    if (figure->sideways)
        lmb_json_bool(json, "sideways", true);
    if (figure->category_count)
        lmb_json_texts(json, "categories", (size_t)figure->category_count, figure->categories);
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
            if (c->low)
                put_points(json, "low", c->count, c->low);
            if (c->width > 0)
                lmb_json_rounded(json, "width", c->width, 6);
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
    if (sheet->lead > 0)
        lmb_json_integer(&json, "lead", sheet->lead);
    lmb_json_texts(&json, "sentences", (size_t)sheet->sentence_count, sheet->sentences);
    lmb_json_open(&json, "tables", '[');
    for (int i = 0; i < sheet->table_count; i++)
        put_table(&json, &sheet->tables[i]);
    lmb_json_close(&json);
    lmb_json_open(&json, "figures", '[');
    for (int i = 0; i < sheet->figure_count; i++)
        put_figure(&json, &sheet->figures[i]);
    char *text = lmb_json_end_text(&json);
    if (lmb_arena_fine(sheet->arena))
        return text;
    free(text);
    return NULL;
}
