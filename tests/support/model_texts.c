#include "model_texts.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "generated_models.h"

/* A text that is written. */
typedef struct writing {
    FILE *file;
    char *text;
    size_t size;
} writing;

static void start(writing *w)
{
    w->file = open_memstream(&w->text, &w->size);
}

static char *end(writing *w)
{
    fclose(w->file);
    return w->text;
}

/* The length of a line with its end. */
static int line_length(const char *line)
{
    size_t n = strcspn(line, "\n");
    return (int)(n + (line[n] == '\n'));
}

/* Return a copy of a line without its end. */
static char *copy_of_line(const char *line)
{
    return strndup(line, strcspn(line, "\n"));
}

static bool starts_with(const char *text, const char *start)
{
    return strncmp(text, start, strlen(start)) == 0;
}

char *text_with_entry(const char *text, const char *section, const char *entry)
{
    writing w;
    bool done = false;
    start(&w);
    for (const char *line = text; *line; line += line_length(line)) {
        size_t n = strlen(section);
        fwrite(line, 1, (size_t)line_length(line), w.file);
        if (done || !starts_with(line, section) || line[n] != ':' || line[n + 1] != '\n')
            continue;
        const char *next = line + line_length(line);
        while (*next == '\n' || next[strspn(next, " ")] == '#')
            next += line_length(next);
        fprintf(w.file, "%.*s%s\n", (int)strspn(next, " "), next, entry);
        done = true;
    }
    char *out = end(&w);
    if (done)
        return out;
    free(out);
    return NULL;
}

/* --- removing entries ------------------------------------------------------------------------- */

static bool is_in_name(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* Return the next place where a line names an entry, or NULL. */
static char *find_name(char *line, const char *name, int prefix)
{
    for (char *found = line; (found = strstr(found, name + prefix)); found++)
        if (found - line >= prefix && !is_in_name(found[strlen(name) - (size_t)prefix]) &&
            (found - line == prefix || !is_in_name(found[-prefix - 1])))
            return found - prefix;
    return NULL;
}

/* Take a name out of the list of the key `without`. */
static void shorten_list(char *line, const char *name, int prefix)
{
    char *list = strstr(line, "without: ["), *found = list ? find_name(list, name, prefix) : NULL;
    if (!found)
        return;
    char *rest = found + strlen(name);
    if (starts_with(rest, ", "))
        rest += 2;
    else if (starts_with(found - 2, ", "))
        found -= 2;
    memmove(found, rest, strlen(rest) + 1);
}

char *text_without(const char *text, const char *name, int prefix)
{
    writing w;
    start(&w);
    for (const char *line = text; *line; line += line_length(line)) {
        char *copy = copy_of_line(line);
        shorten_list(copy, name, prefix);
        if (line[0] != ' ' || !find_name(copy, name, prefix))
            fprintf(w.file, "%s\n", copy);
        free(copy);
    }
    return end(&w);
}

char *text_entry(const char *text, int i)
{
    for (const char *line = text; *line; line += line_length(line))
        if (starts_with(line, "  ") && i-- == 0)
            return strndup(line + 2, strcspn(line + 2, ":{"));
    return NULL;
}

/* --- analyses --------------------------------------------------------------------------------- */

/* Return the value of a key of a line, or `otherwise`. */
static double number_of(const char *line, const char *key, double otherwise)
{
    char words[40];
    snprintf(words, sizeof words, " %s: ", key);
    const char *found = strstr(line, words);
    return found ? strtod(found + strlen(words), NULL) : otherwise;
}

/* Write a copy of an analysis with another start, duration and list `without`. Its name is the
 * former name and a letter. It begins from the copy with the letter `from`, from the original if
 * `from` is 0, or as placed if `from` is -1. */
static void write_part(FILE *f, const char *line, char letter, double begin, double duration,
                       int steps, int from, const char *without)
{
    static const char *const dropped[] = {
        "duration: ", "output_step: ", "begin: ", "period: ", "without: "};
    int name = (int)strcspn(line, ":");
    fprintf(f, "%.*s%c: {type: dynamics, start: %.17g, duration: %.17g, output_step: %.17g", name,
            line, letter, begin, duration, duration / steps);
    if (from >= 0)
        fprintf(f, ", from: %.*s%.*s", name - 2, line + 2, from != 0, &(char){(char)from});
    const char *key = strchr(line, ',');
    for (const char *next; key; key = next) {
        bool drop = false;
        next = strchr(key + 1, ',');
        for (size_t i = 0; i < sizeof dropped / sizeof *dropped; i++)
            drop |= starts_with(key + 2, dropped[i]) && (from >= 0 || i < 2 || i == 4);
        if (starts_with(key + 2, "without: "))
            next = NULL;
        if (!drop)
            fprintf(f, "%.*s", (int)(next ? (size_t)(next - key) : strcspn(key, "}")), key);
    }
    fprintf(f, "%s}\n", without);
}

/* Return what stands from `, without: [` on, without the brace, or nothing. */
static char *without_of(const char *line)
{
    const char *list = strstr(line, ", without: [");
    return strndup(list ? list : "", list ? strcspn(list, "}") : 0);
}

static bool is_whole_motion(const char *line)
{
    const char *type = strchr(line, ':');
    return line[0] == ' ' && type && starts_with(type, ": {type: dynamics,") &&
           !strstr(line, " from: ");
}

char *text_with_halves(const char *text)
{
    writing w;
    start(&w);
    for (const char *line = text; *line; line += line_length(line)) {
        char *copy = copy_of_line(line), *without = without_of(copy);
        fprintf(w.file, "%s\n", copy);
        double T = number_of(copy, "duration", 0);
        if (is_whole_motion(copy))
            write_part(w.file, copy, 'h', 0.6 * T, 0.4 * T, 2, 0, without);
        free(copy);
        free(without);
    }
    return end(&w);
}

char *text_with_parts(const char *text)
{
    const char *event = strstr(text, "_e0: {when"),
               *latch = event ? strstr(event, "latch: ") : NULL;
    bool latches = latch && latch < strchr(event, '\n');
    char none[80], both[80];
    snprintf(none, sizeof none, ", without: [%se0]", generated_prefix);
    snprintf(both, sizeof both, ", without: [%se0, %sf1]", generated_prefix, generated_prefix);
    writing w;
    start(&w);
    for (const char *line = text; *line; line += line_length(line)) {
        char *copy = copy_of_line(line);
        fprintf(w.file, "%s\n", copy);
        double T = number_of(copy, "duration", 0), at = generated_event;
        if (event && is_whole_motion(copy)) {
            write_part(w.file, copy, 'p', 0, at, 1, -1, latches ? both : none);
            write_part(w.file, copy, 'q', at, T - at, 1, 'p', latches ? none : both);
        }
        free(copy);
    }
    return end(&w);
}

/* Write an analysis with another duration and with fine equal steps. */
static void write_period(FILE *f, const char *line, double T)
{
    static const char *const changed[] = {"duration: ", "output_step: ", "step: ", "tolerance: "};
    fprintf(f, "%.*s", (int)strcspn(line, ","), line);
    fprintf(f, ", duration: %.17g, output_step: %.17g, step: %.17g", T, T / 4, T / 5000);
    for (const char *key = strchr(line, ','), *next; key; key = next) {
        bool keep = true;
        next = strchr(key + 1, ',');
        for (size_t i = 0; i < sizeof changed / sizeof *changed; i++)
            keep &= !starts_with(key + 2, changed[i]);
        if (starts_with(key + 2, "without: "))
            next = NULL;
        if (keep)
            fprintf(f, "%.*s", (int)(next ? (size_t)(next - key) : strlen(key)), key);
    }
    fputc('\n', f);
}

char *text_with_periods(const char *text)
{
    writing w;
    start(&w);
    for (const char *line = text; *line; line += line_length(line)) {
        char *copy = copy_of_line(line);
        if (strstr(copy, "begin: periodic"))
            write_period(w.file, copy, number_of(copy, "period", 0));
        else
            fprintf(w.file, "%s\n", copy);
        free(copy);
    }
    return end(&w);
}

char *text_with_output(const char *text, double step)
{
    static const char key[] = ", output_step: ";
    writing w;
    start(&w);
    for (const char *found; (found = strstr(text, key)); text = found) {
        found += strlen(key);
        fprintf(w.file, "%.*s%.17g", (int)(found - text), text, step);
        found += strcspn(found, ",}");
    }
    fputs(text, w.file);
    return end(&w);
}
