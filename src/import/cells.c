/* Lines and cells of tables; see cells.h. */
#include "import/cells.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/encoding.h"
#include "base/read_file.h"
#include "math/expr_internal.h"

lmb_status lmb_cells_open(lmb_context *context, const char *path, char **buffer, lmb_place *file)
{
    char *text;
    size_t length;
    *buffer = NULL;
    lmb_status status = lmb_read_file(&text, &length, context, path, SIZE_MAX);
    if (status)
        return status;
    if (length > 2 && memcmp(text, "\xff\xfe", 2) == 0) {
        char *wide = text;
        text = lmb_utf16_narrow(wide, &length);
        free(wide);
        if (!text)
            return lmb_fail_memory(context);
    }
    if (strlen(text) != length) {
        free(text);
        return lmb_fail(context, LMB_BAD_INPUT, "'%s' is not a text file", path);
    }
    *buffer = text;
    *file = (lmb_place){path, strncmp(text, "\xEF\xBB\xBF", 3) == 0 ? text + 3 : text, 0, 0, 1};
    return LMB_OK;
}

bool lmb_is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

lmb_line lmb_line_before(const char *text)
{
    return (lmb_line){text, text, 0};
}

bool lmb_line_next(lmb_line *l)
{
    const char *at = l->end;
    if (l->number > 0) {
        at += strcspn(at, "\n");
        if (!*at)
            return false;
        at++;
    }
    for (;; at++) {
        const char *stop = at + strcspn(at, "\n");
        *l = (lmb_line){at, stop, l->number + 1};
        while (l->end > at && lmb_is_blank(l->end[-1]))
            l->end--;
        if (l->end > at)
            return true;
        if (!*stop)
            return false;
        at = stop;
    }
}

const char *lmb_line_find(const lmb_line *l, char c)
{
    bool quoted = false;
    for (const char *p = l->start; p < l->end; p++) {
        if (*p == '"')
            quoted = !quoted;
        else if (!quoted && *p == c)
            return p;
    }
    return NULL;
}

int lmb_line_split(const lmb_line *l, char separator, int most, lmb_cell *cells)
{
    const char *p = l->start;
    int count = 0;
    for (;;) {
        while (p < l->end && lmb_is_blank(*p) && (separator == ' ' || *p != separator))
            p++;
        bool quoted = p < l->end && *p == '"';
        const char *start = p + quoted, *stop = start;
        if (quoted) {
            while (stop < l->end && *stop != '"')
                stop++;
            p = stop < l->end ? stop + 1 : stop;
        }
        while (p < l->end && (separator == ' ' ? !lmb_is_blank(*p) : *p != separator))
            p++;
        stop = quoted ? stop : p;
        while (stop > start && lmb_is_blank(stop[-1]))
            stop--;
        while (start < stop && lmb_is_blank(*start))
            start++;
        if (count < most)
            cells[count] = (lmb_cell){start, (int)(stop - start), quoted};
        count++;
        if (p >= l->end)
            return count;
        p++;
    }
}

bool lmb_cell_number(const lmb_cell *c, bool comma, double *value)
{
    char text[64];
    if (c->length <= 0)
        return false;
    size_t length = (size_t)c->length;
    bool sign = *c->start == '-' || *c->start == '+';
    const char *digits = c->start + sign, *end;
    const char *at = comma ? memchr(c->start, ',', length) : NULL;
    if (at && length < sizeof text) {
        memcpy(text, c->start, length);
        text[length] = 0;
        text[at - c->start] = '.';
        end = c->start + (lmb_number_scan(text + sign, value) - text);
    } else {
        end = lmb_number_scan(digits, value);
    }
    if (end == digits || end != c->start + length)
        return false;
    *value = *c->start == '-' ? -*value : *value;
    return true;
}
