/* Strings in an arena, texts in Latin 1 and UTF-16, and edit distance for "did you mean". */
#include "base/text.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/message.h"

char *lmb_text_copy(lmb_arena *arena, const char *text, size_t length)
{
    char *copy = lmb_arena_alloc(arena, length + 1, 1);
    if (copy && length)
        memcpy(copy, text, length);
    return copy;
}

char *lmb_text_vformat(lmb_arena *arena, const char *format, va_list args)
{
    va_list again;
    va_copy(again, args);
    int length = lmb_vsnprintf(NULL, 0, format, args);
    char *text = length < 0 ? NULL : lmb_arena_alloc(arena, (size_t)length + 1, 1);
    if (text)
        lmb_vsnprintf(text, (size_t)length + 1, format, again);
    va_end(again);
    return text;
}

char *lmb_text_format(lmb_arena *arena, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    char *text = lmb_text_vformat(arena, format, args);
    va_end(args);
    return text;
}

/* Writes a character below 0x10000 as UTF-8; returns the bytes that it takes. */
static size_t put_utf8(char *out, unsigned c)
{
    size_t more = c < 0x80 ? 0 : c < 0x800 ? 1 : 2;
    static const unsigned lead[] = {0, 0xc0, 0xe0};
    out[0] = (char)(lead[more] | c >> 6 * more);
    for (size_t k = 1; k <= more; k++)
        out[k] = (char)(0x80 | (c >> 6 * (more - k) & 0x3f));
    return more + 1;
}

char *lmb_text_utf8(lmb_arena *arena, const char *text, size_t length)
{
    char *out = lmb_arena_alloc(arena, 2 * length + 1, 1), *to = out;
    for (size_t i = 0; out && i < length; i++) {
        unsigned char c = (unsigned char)text[i];
        size_t more = c >= 0xf0 ? 3 : c >= 0xe0 ? 2 : c >= 0xc2 ? 1 : 0;
        bool whole = c < 0x80 || (more > 0 && i + more < length);
        for (size_t k = 1; whole && k <= more; k++)
            whole = ((unsigned char)text[i + k] & 0xc0) == 0x80;
        for (size_t k = 0; whole && k <= more; k++)
            *to++ = text[i + k];
        i += whole ? more : 0;
        to += whole ? 0 : put_utf8(to, c);
    }
    return out;
}

size_t lmb_utf8_length(char first)
{
    unsigned char c = (unsigned char)first;
    return c >= 0xf0 ? 4 : c >= 0xe0 ? 3 : c >= 0xc0 ? 2 : 1;
}

size_t lmb_utf8_scan(const char *text, unsigned *code)
{
    static const unsigned least[] = {0, 0x80, 0x800, 0x10000}; /* by the bytes that follow */
    unsigned char c = (unsigned char)text[0];
    size_t more = lmb_utf8_length(text[0]) - 1;
    *code = more ? c & (0x3fu >> more) : c;
    for (size_t k = 1; k <= more; k++) {
        unsigned char next = (unsigned char)text[k];
        if ((next & 0xc0) != 0x80)
            return 0;
        *code = *code << 6 | (next & 0x3f);
    }
    bool surrogate = *code >= 0xd800 && *code < 0xe000;
    bool whole = more ? c < 0xf8 : c < 0x80;
    return whole && *code >= least[more] && *code <= 0x10ffff && !surrogate ? more + 1 : 0;
}

bool lmb_is_control(unsigned c)
{
    bool direction = c == 0x61c || c == 0x200e || c == 0x200f || (c >= 0x202a && c <= 0x202e) ||
                     (c >= 0x2066 && c <= 0x2069);
    return c < ' ' || (c >= 0x7f && c < 0xa0) || direction;
}

size_t lmb_text_show(const char *text, char shown[LMB_SHOWN_ROOM])
{
    unsigned code;
    size_t length = lmb_utf8_scan(text, &code);
    if (!length)
        lmb_snprintf(shown, LMB_SHOWN_ROOM, "\\x%02x", (unsigned char)text[0]);
    else if (lmb_is_control(code))
        lmb_snprintf(shown, LMB_SHOWN_ROOM, code < 0x80 ? "\\x%02x" : "\\u%04x", code);
    else
        memcpy(shown, text, length), shown[length] = 0;
    return length ? length : 1;
}

char *lmb_utf16_narrow(const char *bytes, size_t *length)
{
    char *out = lmb_malloc(*length * 2 + 1), *to = out;
    for (size_t i = 2; out && i + 1 < *length; i += 2)
        to += put_utf8(to, (unsigned char)bytes[i] | (unsigned)(unsigned char)bytes[i + 1] << 8);
    if (out) {
        *to = 0;
        *length = (size_t)(to - out);
    }
    return out;
}

void lmb_text_append(char *text, size_t size, const char *format, ...)
{
    va_list args;
    size_t used = strlen(text);
    va_start(args, format);
    lmb_vsnprintf(text + used, size - used, format, args);
    va_end(args);
}

int lmb_text_characters(const char *text, size_t length)
{
    int count = 0;
    for (size_t i = 0; i < length; i++)
        count += ((unsigned char)text[i] & 0xc0) != 0x80;
    return count;
}

enum { LONGEST_NAME = 64 };

static int least(int a, int b)
{
    return a < b ? a : b;
}

/* Insertions, deletions, replacements and swaps of neighbours that turn a into b. */
static int edit_distance(const char *a, const char *b)
{
    size_t na = strlen(a), nb = strlen(b);
    if (na > LONGEST_NAME || nb > LONGEST_NAME)
        return LONGEST_NAME;
    int d[LONGEST_NAME + 1][LONGEST_NAME + 1]; /* from the first i letters of a to j of b */
    for (size_t i = 0; i <= na; i++)
        for (size_t j = 0; j <= nb; j++) {
            d[i][j] = (int)(i + j);
            if (i == 0 || j == 0)
                continue;
            int replaced = d[i - 1][j - 1] + (lmb_to_lower(a[i - 1]) != lmb_to_lower(b[j - 1]));
            d[i][j] = least(replaced, least(d[i - 1][j], d[i][j - 1]) + 1);
            if (i > 1 && j > 1 && lmb_to_lower(a[i - 1]) == lmb_to_lower(b[j - 2]) &&
                lmb_to_lower(a[i - 2]) == lmb_to_lower(b[j - 1]))
                d[i][j] = least(d[i][j], d[i - 2][j - 2] + 1);
        }
    return d[na][nb];
}

bool lmb_ends_with(const char *name, const char *end)
{
    size_t length = strlen(name), own = strlen(end);
    return length > own && strcmp(name + length - own, end) == 0;
}

const char *lmb_file_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

int lmb_file_stem(const char *name)
{
    const char *dot = strrchr(name, '.');
    return dot && dot != name ? (int)(dot - name) : (int)strlen(name);
}

lmb_nearest lmb_nearest_start(const char *word)
{
    /* a third of the letters may be wrong; two of four to eight, and one of two or three */
    int length = (int)strlen(word), allowed = length < 4 ? length / 2 : 2;
    return (lmb_nearest){word, NULL, (length > 8 ? length / 3 : allowed) + 1};
}

void lmb_nearest_try(lmb_nearest *nearest, const char *candidate)
{
    int distance = edit_distance(nearest->word, candidate);
    if (distance < nearest->distance && distance < (int)strlen(candidate)) {
        nearest->distance = distance;
        nearest->best = candidate;
    }
}

/* The name that an element of a list begins with. */
static const char *name_at(const void *list, size_t size, int i)
{
    return *(const char *const *)((const char *)list + (size_t)i * size);
}

int lmb_find_name(const void *list, size_t size, int count, const char *word, lmb_nearest *nearest)
{
    *nearest = lmb_nearest_start(word);
    for (int i = 0; i != count && name_at(list, size, i); i++)
        if (strcmp(name_at(list, size, i), word) == 0)
            return i;
    for (int i = 0; i != count && name_at(list, size, i); i++)
        lmb_nearest_try(nearest, name_at(list, size, i));
    return -1;
}

lmb_status lmb_nearest_hint(lmb_context *context, const lmb_nearest *nearest)
{
    return nearest->best ? lmb_hint(context, "did you mean '%s'?", nearest->best)
                         : lmb_last_status(context);
}

void lmb_text_duration(char text[32], double seconds)
{
    double days = seconds / 86400;
    if (seconds < 99.5)
        lmb_snprintf(text, 32, "%.0f s", seconds);
    else if (seconds < 5940)
        lmb_snprintf(text, 32, "%.0f min", seconds / 60);
    else if (days < 2)
        lmb_snprintf(text, 32, "%.1f h", seconds / 3600);
    else if (days < 1000)
        lmb_snprintf(text, 32, "%.0f days", days);
    else
        lmb_snprintf(text, 32, "%.2g years", days / 365.25);
}

lmb_status lmb_fail_choice(lmb_context *context, const char *what, const lmb_nearest *near,
                           const char *otherwise)
{
    lmb_fail(context, LMB_USAGE, "there is no %s '%s'", what, near->word);
    if (near->best)
        lmb_nearest_hint(context, near);
    else
        lmb_hint(context, "%s", otherwise);
    return LMB_USAGE;
}
