/* Texts of models whose numbers become parameters. */
#include "varied_models.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "read/reader.h"

/* A place where a number stands in a text. */
typedef struct place {
    const char *at;
    int length, kind; /* the kind is a number of `kinds` */
} place;

typedef struct scan {
    char kinds[MOST_VARIED][48];
    int kind_count;
    place *places;
    int count;
} scan;

/* Sections and keys with numbers that the structure of a model depends on; directions and angles of
 * bodies are left to the positions that they must fit. */
static bool is_structural(const char *section, const char *key)
{
    static const char *const keys[] = {"elements", "order", "node", "keep",
                                       "modes",    "axes",  "when", "displacements"};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (strcmp(key, keys[i]) == 0)
            return true;
    return strcmp(section, "limber") == 0 || strcmp(section, "dimension") == 0 ||
           strcmp(section, "analyses") == 0 || strcmp(section, "sensors") == 0;
}

static void add_place(scan *s, const char *section, const char *key, const char *at, int length)
{
    char kind[sizeof *s->kinds];
    bool rate = length < (int)strlen(at) && strncmp(at - 4, "sin(", 4) == 0;
    double value = strtod(at, NULL);
    if (is_structural(section, key) || (value == 0 && strcmp(key, "between") != 0))
        return;
    snprintf(kind, sizeof kind, "%s.%s", section,
             rate                              ? "rate"
             : strcmp(section, "initial") == 0 ? "velocity"
                                               : key);
    int i = 0;
    while (i < s->kind_count && strcmp(s->kinds[i], kind) != 0)
        i++;
    if (i == MOST_VARIED)
        return;
    if (i == s->kind_count)
        strcpy(s->kinds[s->kind_count++], kind);
    s->places[s->count++] = (place){at, length, i};
}

/* Finds the numbers of a line, each with the last key before it, or with `points` inside of it. */
static void scan_line(scan *s, const char *line, char section[24])
{
    char key[24] = "", outer[24] = "";
    for (const char *c = line; *c && *c != '\n';) {
        if (lmb_is_digit(*c)) {
            char *end;
            (void)strtod(c, &end);
            add_place(s, section, strcmp(outer, "points") == 0 ? outer : key, c, (int)(end - c));
            c = end;
            continue;
        }
        if (*c == '{' || *c == '}')
            snprintf(outer, sizeof outer, "%s", *c == '{' ? key : "");
        int length = 0;
        const char *word = c;
        for (; lmb_is_letter_or_digit(c[length]) || c[length] == '_' || c[length] == '-'; length++)
            if (length == 0 && c[0] == '-')
                break;
        if (length > 0 && c[length] == ':')
            snprintf(key, sizeof key, "%.*s", length, word);
        if (length > 0 && c[length] == ':' && word == line)
            snprintf(section, 24, "%.*s", length, word);
        c += length > 0 ? length : 1;
    }
}

/* splitmix64 */
static uint64_t mix(uint64_t z)
{
    z += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

/* Chooses a place of each kind, then leaves out kinds until no more than `most` are left. */
static int choose_places(const scan *s, uint64_t seed, int most, bool *chosen)
{
    int of[MOST_VARIED] = {0}, left = s->kind_count;
    bool out[MOST_VARIED] = {false};
    for (int i = 0; i < s->count; i++)
        of[s->places[i].kind]++;
    while (left > most) {
        int kind = (int)((seed = mix(seed)) % (uint64_t)s->kind_count);
        left -= !out[kind];
        out[kind] = true;
    }
    for (int kind = 0; kind < s->kind_count; kind++) {
        int skip = (int)((seed = mix(seed)) % (uint64_t)of[kind]);
        for (int i = 0; i < s->count; i++)
            if (s->places[i].kind == kind && skip-- == 0)
                chosen[i] = !out[kind];
    }
    return left;
}

char *vary_numbers(const char *text, uint64_t seed, int most, varied_number *out, int *count)
{
    char section[24] = "", *varied;
    size_t size;
    scan s = {.places = calloc(strlen(text) + 1, sizeof *s.places)};
    for (const char *line = text; *line; line = strchr(line, '\n') + 1)
        scan_line(&s, line, section);
    bool *chosen = calloc((size_t)s.count + 1, sizeof *chosen);
    choose_places(&s, seed, most < MOST_VARIED ? most : MOST_VARIED, chosen);
    FILE *f = open_memstream(&varied, &size);
    const char *done = text;
    *count = 0;
    for (int i = 0; i < s.count; i++) {
        if (!chosen[i])
            continue;
        const place *p = &s.places[i];
        varied_number *n = &out[*count];
        n->value = strtod(p->at, NULL);
        snprintf(n->name, sizeof n->name, "q%d", (*count)++);
        strcpy(n->kind, s.kinds[p->kind]);
        fprintf(f, "%.*s%s", (int)(p->at - done), done, n->name);
        done = p->at + p->length;
    }
    fprintf(f, "%sparameters:\n", done);
    for (int i = 0; i < *count; i++)
        fprintf(f, "  %s: %.17g\n", out[i].name, out[i].value);
    fclose(f);
    free(chosen);
    free(s.places);
    return varied;
}
