/* The words of an expression, and messages that point at them. */
#include "math/expr_internal.h"

#include <stdarg.h>
#include <string.h>

/* --- Tokens --- */

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

/* The end of a name with its dots. */
static const char *scan_name(const char *p)
{
    for (;;) {
        while (is_letter(*p) || lmb_is_digit(*p))
            p++;
        if (p[0] != '.' || !(is_letter(p[1]) || lmb_is_digit(p[1]))) /* modes.1 */
            return p;
        p++;
    }
}

/* The end of an operator, bracket or unknown character (all bytes of it in UTF-8). */
static const char *scan_symbol(const char *p)
{
    static const char *const doubles[] = {"**", "<=", ">=", "==", "!=", "&&", "||"};
    for (size_t i = 0; i < sizeof doubles / sizeof *doubles; i++) {
        if (strncmp(p, doubles[i], 2) == 0)
            return p + 2;
    }
    p++;
    while (((unsigned char)*p & 0xC0) == 0x80)
        p++;
    return p;
}

void lmb_token_next(lmb_parser *p)
{
    const char *start = p->now.start + p->now.length;
    start += strspn(start, " \t\r\n");
    lmb_token now = {.start = start};
    const char *end = lmb_number_scan(start, &now.number);
    if (end > start) {
        now.kind = LMB_TOKEN_NUMBER;
    } else if (is_letter(*start)) {
        now.kind = LMB_TOKEN_NAME;
        end = scan_name(start);
    } else if (*start) {
        now.kind = LMB_TOKEN_SYMBOL;
        end = scan_symbol(start);
    }
    now.length = (int)(end - start);
    p->now = now;
}

const char *lmb_expr_name(const char *text, size_t *length)
{
    lmb_parser p = {.now.start = text};
    do
        lmb_token_next(&p);
    while (p.now.kind == LMB_TOKEN_NUMBER || p.now.kind == LMB_TOKEN_SYMBOL);
    *length = (size_t)p.now.length;
    return p.now.kind == LMB_TOKEN_NAME ? p.now.start : NULL;
}

bool lmb_token_here(const lmb_parser *p, const char *text)
{
    const lmb_token *t = &p->now;
    return t->kind != LMB_TOKEN_END && strlen(text) == (size_t)t->length &&
           memcmp(t->start, text, (size_t)t->length) == 0;
}

/* --- Messages --- */

lmb_place lmb_token_place(const lmb_parser *p, lmb_token at)
{
    lmb_place place = p->place;
    if (place.column > 0)
        place.column += lmb_text_characters(p->text, (size_t)(at.start - p->text));
    place.length = lmb_text_characters(at.start, (size_t)at.length);
    return place;
}

bool lmb_token_fail(lmb_parser *p, lmb_token at, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    const char *text = lmb_text_vformat(p->arena, format, args);
    va_end(args);
    if (text)
        lmb_fail_at(p->context, lmb_token_place(p, at), "%s", text);
    else
        lmb_fail_memory(p->context);
    return false;
}

/* Adds how a sign of other languages is written here. */
static void hint_at_sign(const lmb_parser *p)
{
    static const char *const signs[][2] = {{"=", "=="}, {"&", "and"}, {"&&", "and"},
                                           {"|", "or"}, {"||", "or"}, {"!", "not"}};
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++) {
        if (lmb_token_here(p, signs[i][0]))
            lmb_hint(p->context, "did you mean '%s'?", signs[i][1]);
    }
    if (lmb_token_here(p, "%"))
        lmb_hint(p->context, "did you mean mod(x, y)?");
    const char *at = p->now.start;
    if (lmb_token_here(p, ",") && lmb_is_digit(at[1]) && at > p->text && lmb_is_digit(at[-1]))
        lmb_hint(p->context, "decimals have a point: 0.5");
}

bool lmb_token_unexpected(lmb_parser *p, bool after_value)
{
    lmb_token at = p->now;
    if (at.kind == LMB_TOKEN_END)
        return lmb_token_fail(p, at, "expression is incomplete");
    bool value = at.kind != LMB_TOKEN_SYMBOL || lmb_token_here(p, "(") || lmb_token_here(p, "[");
    if (after_value && value && !lmb_token_here(p, "not"))
        return lmb_token_fail(p, at, "unexpected '%.*s'; is an operator such as '*' missing?",
                              LMB_SHOWN(at));
    unsigned char c = (unsigned char)*at.start;
    if (c < 0x20 || c == 0x7F)
        return lmb_token_fail(p, at, "unexpected character with code %d", c);
    lmb_token_fail(p, at, "unexpected '%.*s'", LMB_SHOWN(at));
    hint_at_sign(p);
    return false;
}

bool lmb_token_expect(lmb_parser *p, const char *text)
{
    if (p->now.kind == LMB_TOKEN_END)
        return lmb_token_fail(p, p->now, "'%s' is missing", text);
    if (!lmb_token_here(p, text))
        return lmb_token_unexpected(p, true);
    lmb_token_next(p);
    return true;
}

bool lmb_token_unknown(lmb_parser *p, lmb_token at, const char *what, const char *name)
{
    lmb_token_fail(p, at, "unknown %s '%s'", what, name);
    lmb_nearest nearest = lmb_nearest_start(name);
    lmb_expr_offer(&nearest);
    if (p->scope && p->scope->offer)
        p->scope->offer(p->scope->user, &nearest);
    lmb_nearest_hint(p->context, &nearest);
    return false;
}
