/* limber help: the list of verbs, and the help of one of them. */
#include <stdio.h>
#include <string.h>

#include "cli/help.h"
#include "cli/print.h"

void lmb_print_help(FILE *out)
{
    fputs("Limber: multibody dynamics. A mechanism is written in one text file; Limber\n"
          "computes its motion and forces.\n\n"
          "usage: limber COMMAND ...\n\n",
          out);
    for (int i = 0; lmb_verbs[i]; i++) {
        if (lmb_verbs[i]->hidden)
            continue;
        fprintf(out, "  %-14s", lmb_verbs[i]->name);
        lmb_print_wrapped(out, lmb_verbs[i]->summary, 16, true);
    }
    fputs("\n`limber COMMAND --help` says more about a command.\n", out);
}

/* "-o, --output FILE" */
static void format_option(char *text, size_t room, const lmb_option *o)
{
    snprintf(text, room, "%s%s%s%s%s", o->letter ? o->letter : "", o->letter ? ", " : "", o->name,
             o->argument ? " " : "", o->argument ? o->argument : "");
}

static void print_options(FILE *out, const lmb_verb *verb)
{
    char text[80];
    int width = (int)strlen("--help");
    for (const lmb_option *o = verb->options; o && o->name; o++) {
        format_option(text, sizeof text, o);
        int own = o->doc[0] ? lmb_text_width(text) : 0;
        width = own > width && own <= 28 ? own : width;
    }
    fputs("\noptions:\n", out);
    for (const lmb_option *o = verb->options; o && o->name; o++) {
        if (!o->doc[0])
            continue;
        format_option(text, sizeof text, o);
        fputs("  ", out);
        lmb_print_padded(out, text, width);
        if (lmb_text_width(text) > width)
            fprintf(out, "\n%*s", width + 2, "");
        fputs("  ", out);
        lmb_print_wrapped(out, o->doc, width + 4, true);
    }
    fprintf(out, "  %-*s  Prints this help.\n", width, "--help");
}

void lmb_print_verb_help(FILE *out, const lmb_verb *verb)
{
    fprintf(out, "usage: limber %s %s\n\n", verb->name, verb->usage);
    lmb_print_wrapped(out, verb->doc, 0, false);
    print_options(out, verb);
    if (!verb->examples || !verb->examples[0])
        return;
    fputs("\nexamples:\n", out);
    for (const char *line = verb->examples; *line;) {
        int length = (int)strcspn(line, "\n");
        fprintf(out, "  %.*s\n", length, line);
        line += length + (line[length] == '\n');
    }
}

static lmb_status run(const lmb_arguments *a)
{
    const lmb_verb *verb = NULL;
    if (lmb_option_value(a, "--man"))
        lmb_print_man(stdout);
    else if (lmb_option_value(a, "--reference"))
        lmb_print_reference(stdout);
    else if (a->count == 0)
        lmb_print_help(stdout);
    else if ((verb = lmb_verb_find(a->context, a->words[0])))
        lmb_print_verb_help(stdout, verb);
    else
        return LMB_USAGE;
    return LMB_OK;
}

/* what the build and the documentation are made with */
static const lmb_option options[] = {
    {"--man", NULL, NULL, false, ""},
    {"--reference", NULL, NULL, false, "Prints all keys of the model file, as Markdown."},
    {0}};

const lmb_verb lmb_verb_help = {
    .name = "help",
    .usage = "[COMMAND | --reference]",
    .summary = "Lists the commands, or explains one of them.",
    .doc = "Lists the commands, or explains one of them.",
    .examples = "limber help\n"
                "limber help get\n"
                "limber help --reference\n",
    .words = {0, 1},
    .options = options,
    .run = run,
};
