/* Reading what was typed after a verb. */
#include "cli/verb.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "base/message.h"
#include "base/text.h"
#include "cli/typed.h"

/* Whether a word is one of a list with blanks between them; not of NULL. */
static bool is_among(const char *list, const char *word)
{
    size_t length = strlen(word);
    for (const char *c = list ? list : ""; *c; c += strcspn(c, " "), c += *c == ' ')
        if (strcspn(c, " ") == length && strncmp(c, word, length) == 0)
            return true;
    return false;
}

const lmb_verb *lmb_verb_find(lmb_context *context, const char *name)
{
    lmb_nearest near = lmb_nearest_start(name);
    for (int i = 0; lmb_verbs[i]; i++) {
        if (strcmp(lmb_verbs[i]->name, name) == 0 || is_among(lmb_verbs[i]->also, name))
            return lmb_verbs[i];
        lmb_nearest_try(&near, lmb_verbs[i]->name);
    }
    lmb_fail_choice(context, "command", &near, "`limber help` lists the commands");
    return NULL;
}

lmb_option_parts lmb_option_split(const lmb_option *o)
{
    lmb_option_parts p = {.many = lmb_ends_with(o->form, " ...")};
    const char *name = strstr(o->form, "--");
    if (name > o->form)
        snprintf(p.letter, sizeof p.letter, "%.2s", o->form);
    sscanf(name, "%31s %31s", p.name, p.argument);
    return p;
}

static int option_count(const lmb_verb *verb)
{
    int count = 0;
    while (verb->options && verb->options[count].form)
        count++;
    return count;
}

/* The index of the option that a word is (up to "="), or -1. */
static int find_option(const lmb_verb *verb, const char *word)
{
    size_t length = strncmp(word, "--", 2) == 0 ? strcspn(word, "=") : strlen(word);
    for (int i = 0; i < option_count(verb); i++) {
        lmb_option_parts p = lmb_option_split(&verb->options[i]);
        if ((strlen(p.name) == length && strncmp(p.name, word, length) == 0) ||
            strcmp(p.letter, word) == 0)
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

static lmb_status fail_option(const lmb_arguments *a, const char *word)
{
    lmb_fail(a->context, LMB_USAGE, "`limber %s` has no option '%.*s'", a->verb->name,
             (int)strcspn(word, "="), word);
    lmb_nearest near = lmb_nearest_start(word);
    for (int i = 0; i < option_count(a->verb); i++) {
        lmb_option_parts p = lmb_option_split(&a->verb->options[i]);
        const char *name = lmb_text_copy(a->arena, p.name, strlen(p.name));
        if (name)
            lmb_nearest_try(&near, name);
    }
    if (near.best)
        lmb_nearest_hint(a->context, &near);
    else
        lmb_hint(a->context, "see `limber %s --help`", a->verb->name);
    return LMB_USAGE;
}

/* Takes the option at words[*i], with its value from behind "=" or from the next word. */
static lmb_status take_option(lmb_arguments *a, int count, char **words, int *i)
{
    const char *word = words[*i], *value = "";
    const char *equals = strncmp(word, "--", 2) == 0 ? strchr(word, '=') : NULL;
    int index = find_option(a->verb, word), n = 0;
    if (index < 0)
        return fail_option(a, word);
    lmb_option_parts o = lmb_option_split(&a->verb->options[index]);
    lmb_refuse(a, !o.argument[0] && equals, "%s takes no value", o.name);
    if (o.argument[0] && equals) {
        value = equals + 1;
    } else if (o.argument[0]) {
        value = *i + 1 < count ? words[++*i] : NULL;
        lmb_refuse(a,
                   !value || strcmp(value, "--") == 0 ||
                       (is_option(value) && (find_option(a->verb, value) >= 0 || is_help(value))),
                   "%s needs a value: %s %s", o.name, o.name, o.argument);
    }
    while (a->values[index][n])
        n++;
    lmb_refuse(a, n > 0 && !o.many, "%s is given twice", o.name);
    a->values[index][n] = value;
    a->json = a->json || strcmp(o.name, "--json") == 0;
    return *a->status;
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
    bool many = verb->words[1] >= 0 && a->count > verb->words[1];
    if (lmb_refuse(a, a->count < verb->words[0], "something is missing after `limber %s`",
                   verb->name) ||
        lmb_refuse(a, many, "'%s' is one word too many", a->words[many ? verb->words[1] : 0]))
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
