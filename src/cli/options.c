/* Reading what was typed after a verb. */
#include "cli/options.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/message.h"
#include "base/text.h"

const lmb_verb *lmb_verb_find(const char *name)
{
    for (int i = 0; lmb_verbs[i]; i++)
        if (strcmp(lmb_verbs[i]->name, name) == 0)
            return lmb_verbs[i];
    return NULL;
}

lmb_status lmb_fail_verb(lmb_context *context, const char *name)
{
    lmb_fail(context, LMB_USAGE, "there is no command '%s'", name);
    lmb_nearest near = lmb_nearest_start(name);
    for (int i = 0; lmb_verbs[i]; i++)
        if (!lmb_verbs[i]->hidden)
            lmb_nearest_try(&near, lmb_verbs[i]->name);
    if (near.best)
        lmb_nearest_hint(context, &near);
    else
        lmb_hint(context, "`limber help` lists the commands");
    return LMB_USAGE;
}

static int option_count(const lmb_verb *verb)
{
    int count = 0;
    while (verb->options && verb->options[count].name)
        count++;
    return count;
}

/* The index of the option that a word is (up to "="), or -1. */
static int find_option(const lmb_verb *verb, const char *word)
{
    size_t length = strncmp(word, "--", 2) == 0 ? strcspn(word, "=") : strlen(word);
    for (int i = 0; i < option_count(verb); i++) {
        const lmb_option *o = &verb->options[i];
        if ((strlen(o->name) == length && strncmp(o->name, word, length) == 0) ||
            (o->letter && strcmp(o->letter, word) == 0))
            return i;
    }
    return -1;
}

/* Whether a word is meant as an option: "-" and negative numbers are not. */
static bool is_option(const char *word)
{
    return word[0] == '-' && word[1] && word[1] != '.' && !isdigit((unsigned char)word[1]);
}

static bool is_help(const char *word)
{
    return strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0;
}

static lmb_status fail_option(lmb_context *context, const lmb_verb *verb, const char *word)
{
    int length = (int)strcspn(word, "=");
    lmb_fail(context, LMB_USAGE, "`limber %s` has no option '%.*s'", verb->name, length, word);
    lmb_nearest near = lmb_nearest_start(word);
    for (int i = 0; i < option_count(verb); i++)
        lmb_nearest_try(&near, verb->options[i].name);
    if (near.best)
        lmb_nearest_hint(context, &near);
    else
        lmb_hint(context, "see `limber %s --help`", verb->name);
    return LMB_USAGE;
}

/* Adds how the verb is called to an error. */
static lmb_status hint_usage(lmb_context *context, const lmb_verb *verb)
{
    lmb_hint(context, "limber %s %s", verb->name, verb->usage);
    return LMB_USAGE;
}

/* Takes the option at words[*i], with its value from behind "=" or from the next word. */
static lmb_status take_option(lmb_arguments *a, int count, char **words, int *i)
{
    const char *word = words[*i], *equals = strchr(word, '='), *value = "";
    int index = find_option(a->verb, word);
    if (index < 0)
        return fail_option(a->context, a->verb, word);
    const lmb_option *o = &a->verb->options[index];
    if (strncmp(word, "--", 2) != 0)
        equals = NULL;
    if (!o->argument && equals)
        return lmb_fail(a->context, LMB_USAGE, "%s takes no value", o->name);
    if (o->argument && equals) {
        value = equals + 1;
    } else if (o->argument) {
        const char *next = *i + 1 < count ? words[*i + 1] : NULL;
        bool missing = !next || strcmp(next, "--") == 0 ||
                       (is_option(next) && (find_option(a->verb, next) >= 0 || is_help(next)));
        if (missing)
            return lmb_fail(a->context, LMB_USAGE, "%s needs a value: %s %s", o->name, o->name,
                            o->argument);
        value = next;
        ++*i;
    }
    int n = 0;
    while (a->values[index][n])
        n++;
    if (n > 0 && !o->many)
        return lmb_fail(a->context, LMB_USAGE, "%s is given twice", o->name);
    a->values[index][n] = value;
    a->json = a->json || strcmp(o->name, "--json") == 0;
    return LMB_OK;
}

/* Room for as many words, and values of each option, as there are words. */
static bool allocate(lmb_arguments *a, lmb_arena *arena, int count)
{
    int options = option_count(a->verb);
    size_t room = (size_t)count + 1;
    a->words = lmb_arena_alloc(arena, room, sizeof *a->words);
    a->values = lmb_arena_alloc(arena, (size_t)options + 1, sizeof *a->values);
    bool done = a->words && a->values;
    for (int i = 0; done && i < options; i++) {
        a->values[i] = lmb_arena_alloc(arena, room, sizeof **a->values);
        done = a->values[i] != NULL;
    }
    return done;
}

lmb_status lmb_options_parse(lmb_arguments *a, lmb_arena *arena, lmb_context *context,
                             const lmb_verb *verb, int count, char **words, bool *help)
{
    *a = (lmb_arguments){.verb = verb, .context = context};
    *help = false;
    if (!allocate(a, arena, count))
        return lmb_fail_memory(context);
    for (int i = 0; i < count && strcmp(words[i], "--") != 0; i++)
        *help = *help || is_help(words[i]);
    if (*help)
        return LMB_OK;
    bool options = true;
    for (int i = 0; i < count; i++) {
        if (options && strcmp(words[i], "--") == 0) {
            options = false;
        } else if (options && is_option(words[i])) {
            lmb_status status = take_option(a, count, words, &i);
            if (status != LMB_OK)
                return status;
        } else {
            a->words[a->count++] = words[i];
        }
    }
    if (a->count < verb->least) {
        lmb_fail(context, LMB_USAGE, "something is missing after `limber %s`", verb->name);
        return hint_usage(context, verb);
    }
    if (verb->most >= 0 && a->count > verb->most) {
        lmb_fail(context, LMB_USAGE, "'%s' is one word too many", a->words[verb->most]);
        return hint_usage(context, verb);
    }
    return LMB_OK;
}

const char **lmb_option_values(const lmb_arguments *arguments, const char *name)
{
    static const char *none[] = {NULL};
    int index = find_option(arguments->verb, name);
    return index < 0 ? none : arguments->values[index];
}

const char *lmb_option_value(const lmb_arguments *arguments, const char *name)
{
    const char **values = lmb_option_values(arguments, name), *last = NULL;
    while (*values)
        last = *values++;
    return last;
}

lmb_status lmb_typed_number(lmb_context *context, const char *what, const char *word, double *value)
{
    char *end;
    *value = strtod(word, &end);
    if (end != word && !*end && isfinite(*value))
        return LMB_OK;
    lmb_fail(context, LMB_USAGE, "%s needs a number, not '%s'", what, word);
    if (*end == ',' && isdigit((unsigned char)end[1]))
        lmb_hint(context, "decimals follow a point");
    return LMB_USAGE;
}

lmb_status lmb_typed_option(const lmb_arguments *a, const char *option, double *value, bool *given)
{
    const char *word = lmb_option_value(a, option);
    if (given)
        *given = word != NULL;
    return word ? lmb_typed_number(a->context, option, word, value) : LMB_OK;
}

lmb_status lmb_typed_size(lmb_context *context, const char *word, int most, int *width, int *height)
{
    int used = 0;
    if (sscanf(word, "%5dx%5d%n", width, height, &used) == 2 && !word[used] && *width >= 200 &&
        *height >= 150 && *width <= most && *height <= most)
        return LMB_OK;
    lmb_fail(context, LMB_USAGE, "the size '%s' is not one", word);
    lmb_hint(context, "for example --size 800x500, from 200x150 to %dx%d", most, most);
    return LMB_USAGE;
}

char **lmb_typed_names(const char *list)
{
    size_t length = strlen(list), most = 2;
    for (size_t i = 0; i < length; i++)
        most += list[i] == ',';
    char **names = calloc(1, most * sizeof *names + length + 1);
    if (!names)
        return NULL;
    char *text = memcpy(names + most, list, length + 1), *rest = text;
    size_t count = 0;
    for (char *word = strtok_r(text, ", ", &rest); word; word = strtok_r(NULL, ", ", &rest))
        names[count++] = word;
    return names;
}

void lmb_name_after(const char *file, const char *ending, char *path, size_t size)
{
    const char *name = lmb_file_name(file);
    int length = lmb_file_stem(name);
    snprintf(path, size, "%.*s%s", length, name, ending);
}
