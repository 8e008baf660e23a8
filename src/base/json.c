/* Writing JSON; see json.h. */
#include "base/json.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"

lmb_json lmb_json_start(FILE *out)
{
    return (lmb_json){.out = out};
}

lmb_json lmb_json_start_object(FILE *out)
{
    lmb_json json = lmb_json_start(out);
    lmb_json_open(&json, NULL, '{');
    return json;
}

void lmb_json_end(lmb_json *json)
{
    while (json->depth > 0)
        lmb_json_close(json);
}

void lmb_json_start_text(lmb_json *json)
{
    *json = (lmb_json){.in_text = true};
    json->out = lmb_text_open(&json->text, &json->size);
}

char *lmb_json_end_text(lmb_json *json)
{
    while (json->out && json->depth > 0)
        lmb_json_close(json);
    bool done = lmb_text_close(json->out);
    char *text = json->text;
    *json = (lmb_json){0};
    if (done)
        return text;
    free(text);
    return NULL;
}

/* A string in quotes, escaped. Bytes that are not UTF-8 are taken for Latin 1. */
static void quote(FILE *out, const char *text)
{
    static const char plain[] = "\"\\\b\f\n\r\t", letters[] = "\"\\bfnrt";
    putc('"', out);
    for (const char *c = text; *c;) {
        unsigned code;
        size_t length = lmb_utf8_scan(c, &code);
        const char *escaped = strchr(plain, *c);
        if (escaped)
            lmb_fprintf(out, "\\%c", letters[escaped - plain]);
        else if (!length || lmb_is_control(code))
            lmb_fprintf(out, "\\u%04x", length ? code : (unsigned char)*c);
        else
            fwrite(c, 1, length, out);
        c += length ? length : 1;
    }
    putc('"', out);
}

static void new_line(lmb_json *json)
{
    lmb_fprintf(json->out, "\n%*s", 2 * json->depth, "");
}

/* The comma, line end and key in front of a value; false where nothing can be written. */
static bool lead(lmb_json *json, const char *key)
{
    if (!json->out)
        return false;
    if (json->depth > 0) {
        if (json->levels[json->depth].inside)
            putc(',', json->out);
        if (!json->levels[json->depth].flat)
            new_line(json);
        else if (json->levels[json->depth].inside)
            putc(' ', json->out);
        json->levels[json->depth].inside = true;
    }
    if (key) {
        quote(json->out, key);
        fputs(": ", json->out);
    }
    return true;
}

static void open_level(lmb_json *json, const char *key, char bracket, bool flat)
{
    if (!lead(json, key))
        return;
    putc(bracket, json->out);
    bool within = json->levels[json->depth].flat;
    json->depth++;
    json->levels[json->depth].close = bracket == '{' ? '}' : ']';
    json->levels[json->depth].inside = false;
    json->levels[json->depth].flat = flat || within;
}

void lmb_json_open(lmb_json *json, const char *key, char bracket)
{
    open_level(json, key, bracket, false);
}

void lmb_json_open_flat(lmb_json *json, const char *key, char bracket)
{
    open_level(json, key, bracket, true);
}

void lmb_json_close(lmb_json *json)
{
    if (!json->out)
        return;
    char bracket = json->levels[json->depth].close;
    bool lines = json->levels[json->depth].inside && !json->levels[json->depth].flat;
    json->depth--;
    if (lines)
        new_line(json);
    putc(bracket, json->out);
    if (json->depth == 0 && !json->in_text)
        putc('\n', json->out);
}

void lmb_json_raw(lmb_json *json, const char *key, const char *text)
{
    if (lead(json, key))
        fputs(text, json->out);
}

void lmb_json_text(lmb_json *json, const char *key, const char *text)
{
    if (!text)
        lmb_json_raw(json, key, "null");
    else if (lead(json, key))
        quote(json->out, text);
}

void lmb_json_rounded(lmb_json *json, const char *key, double value, int digits)
{
    if (!isfinite(value))
        lmb_json_raw(json, key, "null");
    else if (lead(json, key))
        lmb_fprintf(json->out, "%.*g", digits, value);
}

void lmb_json_number(lmb_json *json, const char *key, double value)
{
    lmb_json_rounded(json, key, value, 17);
}

void lmb_json_integer(lmb_json *json, const char *key, long value)
{
    if (lead(json, key))
        lmb_fprintf(json->out, "%ld", value);
}

void lmb_json_bool(lmb_json *json, const char *key, bool value)
{
    lmb_json_raw(json, key, value ? "true" : "false");
}

void lmb_json_numbers(lmb_json *json, const char *key, size_t count, const double *values)
{
    lmb_json_open_flat(json, key, '[');
    for (size_t i = 0; i < count; i++)
        lmb_json_number(json, NULL, values[i]);
    lmb_json_close(json);
}

void lmb_json_integers(lmb_json *json, const char *key, size_t count, const int *values)
{
    lmb_json_open_flat(json, key, '[');
    for (size_t i = 0; i < count; i++)
        lmb_json_integer(json, NULL, values[i]);
    lmb_json_close(json);
}

void lmb_json_texts(lmb_json *json, const char *key, size_t count, const char *const *texts)
{
    lmb_json_open_flat(json, key, '[');
    for (size_t i = 0; i < count; i++)
        lmb_json_text(json, NULL, texts[i]);
    lmb_json_close(json);
}

/* --- members by a format ---------------------------------------------------------------------- */

/* Each "key %conversion" of the format with its value. */
static void put_members(lmb_json *json, const char *format, va_list args)
{
    char key[64];
    for (const char *c = format; *c; c += strspn(c, ", ")) {
        const char *percent = strchr(c, '%'), *type = percent + strcspn(percent, "sgdu");
        lmb_snprintf(key, sizeof key, "%.*s", (int)(percent - c - 1), c);
        if (*type == 's')
            lmb_json_text(json, key, va_arg(args, const char *));
        else if (*type == 'g')
            lmb_json_rounded(json, key, va_arg(args, double),
                             percent[1] == '.' ? atoi(percent + 2) : 17);
        else if (percent[1] == 'h')
            lmb_json_bool(json, key, va_arg(args, int));
        else if (percent[1] == 'l')
            lmb_json_integer(json, key, va_arg(args, long));
        else if (percent[1] == 'z')
            lmb_json_integer(json, key, (long)va_arg(args, size_t));
        else
            lmb_json_integer(json, key, va_arg(args, int));
        c = type + 1;
    }
}

void lmb_json_put(lmb_json *json, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    put_members(json, format, args);
    va_end(args);
}

void lmb_json_object(lmb_json *json, const char *key, const char *format, ...)
{
    va_list args;
    lmb_json_open_flat(json, key, '{');
    va_start(args, format);
    put_members(json, format, args);
    va_end(args);
    lmb_json_close(json);
}
