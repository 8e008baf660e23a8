/* Units as texts; see unit_text.h. */
#include "measure/unit_text.h"

#include <string.h>

#include "base/format.h"
#include "math/vec.h"

typedef struct symbol {
    const char
        *texts;    /* separated by blanks; with three letters and more in small or capital ones */
    bool prefixes; /* it takes prefixes */
    lmb_unit unit;
} symbol;

/* Powers: length, mass, time, angle, current, temperature. */
static const symbol symbols[] = {
    {"m", true, {{1, 1}, {1}}},
    {"g", true, {{1, 1000}, {0, 1}}},
    {"s sec sek", true, {{1, 1}, {0, 0, 1}}},
    {"seconds", false, {{1, 1}, {0, 0, 1}}},
    {"rad", true, {{1, 1}, {0, 0, 0, 1}}},
    {"A", true, {{1, 1}, {0, 0, 0, 0, 1}}},
    {"K", false, {{1, 1}, {0, 0, 0, 0, 0, 1}}},
    {"N", true, {{1, 1}, {1, 1, -2}}},
    {"Nm J", true, {{1, 1}, {2, 1, -2}}},
    {"Pa", true, {{1, 1}, {-1, 1, -2}}},
    {"W", true, {{1, 1}, {2, 1, -3}}},
    {"V", true, {{1, 1}, {2, 1, -3, 0, -1}}},
    {"Hz", true, {{2 * LMB_PI, 1}, {0, 0, -1, 1}}},
    {"hz rps", false, {{2 * LMB_PI, 1}, {0, 0, -1, 1}}},
    {"rpm", false, {{2 * LMB_PI, 60}, {0, 0, -1, 1}}},
    {"min", false, {{60, 1}, {0, 0, 1}}},
    {"h", false, {{3600, 1}, {0, 0, 1}}},
    {"t", false, {{1000, 1}, {0, 1}}},
    {"bar", true, {{1e5, 1}, {-1, 1, -2}}},
    {"deg degree degrees grad \xc2\xb0", false, {{LMB_PI, 180}, {0, 0, 0, 1}}}, /* grad: German */
    {"gon", false, {{LMB_PI, 200}, {0, 0, 0, 1}}},
    {"rev r U u tr", false, {{2 * LMB_PI, 1}, {0, 0, 0, 1}}},
    {"in inch", false, {{0.0254, 1}, {1}}},
    {"ft", false, {{0.3048, 1}, {1}}},
    {"mil", false, {{0.0254, 1000}, {1}}},
    {"lb", false, {{0.45359237, 1}, {0, 1}}},
    {"lbf", false, {{4.4482216152605, 1}, {1, 1, -2}}},
    {"psi", false, {{4.4482216152605, 0.0254 * 0.0254}, {-1, 1, -2}}},
    {"%", false, {{1, 100}, {0}}},
    {"1", false, {{1, 1}, {0}}},
};

static const symbol gravity = {"g", true, {{9.80665, 1}, {1, 0, -2}}};
static const char *const gravities[] = {"G", "gn", "g_n", "g0"}; /* the same, alone */

static const struct {
    const char *text;
    lmb_ratio factor;
} prefixes[] = {
    {"", {1, 1}},           {"G", {1e9, 1}}, {"M", {1e6, 1}},        {"k", {1000, 1}},
    {"h", {100, 1}},        {"da", {10, 1}}, {"d", {1, 10}},         {"c", {1, 100}},
    {"m", {1, 1000}},       {"u", {1, 1e6}}, {"\xc2\xb5", {1, 1e6}}, /* with a Greek letter, of
                                                                        which there are two */
    {"\xce\xbc", {1, 1e6}}, {"n", {1, 1e9}},
};

static bool begins(const char *text, const char *end, const char *piece)
{
    size_t length = strlen(piece);
    return (size_t)(end - text) >= length && memcmp(text, piece, length) == 0;
}

static bool is_one_of(const char *start, size_t length, const char *texts)
{
    for (size_t size; *texts; texts += size + (texts[size] == ' ')) {
        size = strcspn(texts, " ");
        if (size == length &&
            (size > 2 ? lmb_same_letters_in(start, texts, size) : strncmp(start, texts, size) == 0))
            return true;
    }
    return false;
}

/* Multiplies a unit by a power of the symbol in so many bytes. */
static bool take_symbol(const char *start, size_t length, int power, bool g_is_gravity,
                        lmb_unit *out)
{
    const symbol *found = NULL;
    lmb_ratio scale = {1, 1};
    for (size_t p = 0; p < sizeof prefixes / sizeof *prefixes && !found; p++) {
        size_t used = strlen(prefixes[p].text);
        if (!begins(start, start + length, prefixes[p].text))
            continue;
        for (size_t i = 0; i < sizeof symbols / sizeof *symbols && !found; i++)
            if ((used == 0 || symbols[i].prefixes) &&
                is_one_of(start + used, length - used, symbols[i].texts)) {
                found = &symbols[i];
                scale = prefixes[p].factor;
            }
    }
    if (!found)
        return false;
    if (g_is_gravity && strcmp(found->texts, gravity.texts) == 0)
        found = &gravity;
    lmb_ratio_times(&out->si, scale, power);
    lmb_ratio_times(&out->si, found->unit.si, power);
    for (int i = 0; i < LMB_BASES; i++)
        out->powers[i] += power * found->unit.powers[i];
    return true;
}

/* The power behind a symbol: "2", "^2", "**2", "-1", "^-1", a raised two or three; 1 where there is
 * none.
 */
static int take_power(const char **now, const char *end)
{
    if (begins(*now, end, "\xc2\xb2") || begins(*now, end, "\xc2\xb3")) {
        *now += 2;
        return (*now)[-1] == '\xb2' ? 2 : 3;
    }
    const char *p = *now + (begins(*now, end, "**") ? 2 : begins(*now, end, "^") ? 1 : 0);
    bool minus = p < end && *p == '-';
    p += minus;
    if (p >= end || !lmb_is_digit(*p))
        return 1;
    int power = *p - '0';
    *now = p + 1;
    return minus ? -power : power;
}

/* The length of what is between symbols: a blank, a point, a star. */
static size_t between(const char *p, const char *end)
{
    static const char *const marks[] = {" ", "*", ".", "\xc2\xb7", "\xe2\x8b\x85"};
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
        if (begins(p, end, marks[i]))
            return strlen(marks[i]);
    return 0;
}

bool lmb_unit_read(const char *text, size_t length, bool g_is_gravity, lmb_unit *out)
{
    const char *p = text, *end = text + length;
    *out = (lmb_unit){.si = {1, 1}};
    while (p < end) {
        bool under = false;
        for (size_t skip; p < end && ((skip = between(p, end)) > 0 || (*p == '/' && !under));) {
            under = under || *p == '/';
            p += skip > 0 ? skip : 1;
        }
        /* a symbol ends before its power; "1" is one by itself */
        const char *start = p;
        if (p < end && *p == '1')
            p++;
        else
            while (p < end && between(p, end) == 0 && !strchr("/^-0123456789", *p) &&
                   !begins(p, end, "\xc2\xb2") && !begins(p, end, "\xc2\xb3"))
                p++;
        size_t size = (size_t)(p - start);
        int power = *start == '1' ? 1 : take_power(&p, end);
        if (!take_symbol(start, size, under ? -power : power, g_is_gravity, out))
            return false;
    }
    return length > 0;
}

bool lmb_unit_convert(const char *from, const char *to, lmb_ratio *factor)
{
    static const int rate[LMB_BASES] = {[LMB_TIME] = -1};
    lmb_unit a, b;
    *factor = (lmb_ratio){1, 1};
    if (!from[0] || strcmp(from, to) == 0)
        return true;
    to = to[0] ? to : "1";
    if (!lmb_unit_read(to, strlen(to), false, &b))
        return false;
    for (int g = 0; g < 2; g++) {
        for (size_t i = 0; g && i < sizeof gravities / sizeof *gravities; i++)
            from = strcmp(from, gravities[i]) == 0 ? gravity.texts : from;
        if (!lmb_unit_read(from, strlen(from), g, &a))
            continue;
        /* turns a minute are often written 1/min; 1/s may be either and is left alone */
        if (b.powers[LMB_ANGLE] == 1 && memcmp(a.powers, rate, sizeof rate) == 0 &&
            a.si.over != a.si.under) {
            a.powers[LMB_ANGLE] = 1;
            lmb_ratio_times(&a.si, (lmb_ratio){2 * LMB_PI, 1}, 1);
        }
        if (memcmp(a.powers, b.powers, sizeof a.powers) != 0)
            continue;
        lmb_ratio_times(&a.si, b.si, -1);
        *factor = a.si;
        return true;
    }
    return false;
}
