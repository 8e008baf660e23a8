/* Reading what was typed after a verb. */
#include "cli/verb.h"

#include <ctype.h>
#include <string.h>

#include "base/message.h"
#include "base/text.h"
#include "cli/typed.h"

const lmb_verb *lmb_verb_find(lmb_context *context, const char *name)
{
    lmb_nearest near = lmb_nearest_start(name);
    for (int i = 0; lmb_verbs[i]; i++) {
        if (strcmp(lmb_verbs[i]->name, name) == 0)
            return lmb_verbs[i];
        if (!lmb_verbs[i]->hidden)
            lmb_nearest_try(&near, lmb_verbs[i]->name);
    }
    lmb_fail_choice(context, "command", &near, "`limber help` lists the commands");
    return NULL;
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

lmb_status lmb_options_parse(lmb_arguments *a, int count, char **words, bool *help)
{
    const lmb_verb *verb = a->verb;
    int options = option_count(verb);
    size_t room = (size_t)count + 1; /* there are no more words, nor values of an option */
    a->words = lmb_arena_alloc(a->arena, room, sizeof *a->words);
    a->status = lmb_arena_alloc(a->arena, 1, sizeof *a->status);
    a->values = lmb_arena_alloc(a->arena, (size_t)options + 1, sizeof *a->values);
    for (int i = 0; a->values && i < options; i++)
        a->values[i] = lmb_arena_alloc(a->arena, room, sizeof **a->values);
    if (!lmb_arena_fine(a->arena))
        return lmb_fail_memory(a->context);
    *help = false;
    for (int i = 0; i < count && strcmp(words[i], "--") != 0; i++)
        *help = *help || is_help(words[i]);
    if (*help)
        return LMB_OK;
    bool dashes = true; /* words that begin with one are options */
    for (int i = 0; i < count; i++) {
        if (dashes && strcmp(words[i], "--") == 0) {
            dashes = false;
        } else if (dashes && is_option(words[i])) {
            lmb_status status = take_option(a, count, words, &i);
            if (status)
                return status;
        } else {
            a->words[a->count++] = words[i];
        }
    }
    if (lmb_refuse(a, a->count < verb->words[0], "something is missing after `limber %s`",
                   verb->name) ||
        lmb_refuse(a, verb->words[1] >= 0 && a->count > verb->words[1], "'%s' is one word too many",
                   a->words[verb->words[1] < 0 ? 0 : verb->words[1]]))
        lmb_hint(a->context, "limber %s %s", verb->name, verb->usage);
    return *a->status;
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
