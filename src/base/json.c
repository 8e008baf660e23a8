/* Writing JSON, a member at a time. */
#include "base/json.h"

#include <math.h>

lmb_json lmb_json_start(FILE *out)
{
    return (lmb_json){.out = out};
}

void lmb_json_quote(FILE *out, const char *text)
{
    static const char plain[] = "\"\\\b\f\n\r\t", letters[] = "\"\\bfnrt";
    putc('"', out);
    for (const char *c = text; *c; c++) {
        int i = 0;
        while (plain[i] && plain[i] != *c)
            i++;
        if (plain[i])
            fprintf(out, "\\%c", letters[i]);
        else if ((unsigned char)*c < 0x20)
            fprintf(out, "\\u%04x", (unsigned char)*c);
        else
            putc(*c, out);
    }
    putc('"', out);
}

static void new_line(lmb_json *json)
{
    fprintf(json->out, "\n%*s", 2 * json->depth, "");
}

/* The comma, line end and key in front of a value. */
static void lead(lmb_json *json, const char *key)
{
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
        lmb_json_quote(json->out, key);
        fputs(": ", json->out);
    }
}

static void open_level(lmb_json *json, const char *key, char bracket, bool flat)
{
    lead(json, key);
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
    char bracket = json->levels[json->depth].close;
    bool lines = json->levels[json->depth].inside && !json->levels[json->depth].flat;
    json->depth--;
    if (lines)
        new_line(json);
    putc(bracket, json->out);
    if (json->depth == 0)
        putc('\n', json->out);
}

void lmb_json_text(lmb_json *json, const char *key, const char *text)
{
    lead(json, key);
    lmb_json_quote(json->out, text);
}

void lmb_json_rounded(lmb_json *json, const char *key, double value, int digits)
{
    lead(json, key);
    if (isfinite(value))
        fprintf(json->out, "%.*g", digits, value);
    else
        fputs("null", json->out);
}

void lmb_json_number(lmb_json *json, const char *key, double value)
{
    lmb_json_rounded(json, key, value, 17);
}

void lmb_json_numbers(lmb_json *json, const char *key, size_t count, const double *values)
{
    lmb_json_open_flat(json, key, '[');
    for (size_t i = 0; i < count; i++)
        lmb_json_number(json, NULL, values[i]);
    lmb_json_close(json);
}

void lmb_json_integer(lmb_json *json, const char *key, long value)
{
    lead(json, key);
    fprintf(json->out, "%ld", value);
}

void lmb_json_bool(lmb_json *json, const char *key, bool value)
{
    lead(json, key);
    fputs(value ? "true" : "false", json->out);
}
