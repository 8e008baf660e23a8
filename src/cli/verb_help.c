/* limber help: the list of verbs, the help of one of them, and the manual page. */
#include <stdio.h>
#include <string.h>

#include "cli/print.h"

void lmb_print_help(FILE *out)
{
    fputs("Limber: multibody dynamics. A mechanism is written in one text file; Limber\n"
          "computes its motion and forces.\n\n"
          "usage: limber COMMAND ...\n\n",
          out);
    for (int i = 0; lmb_verbs[i]; i++) {
        fprintf(out, "  %-14s", lmb_verbs[i]->name);
        lmb_print_wrapped(out, lmb_verbs[i]->summary, 16, true);
    }
    fputs("\n`limber COMMAND --help` says more about a command.\n", out);
}

static void print_options(FILE *out, const lmb_verb *verb)
{
    int width = (int)strlen("--help");
    for (int pass = 0; pass < 2; pass++) { /* the first one for the width */
        if (pass)
            fputs("\noptions:\n", out);
        for (const lmb_option *o = verb->options; o && o->form; o++) {
            char text[80];
            bool many = lmb_option_split(o).many;
            snprintf(text, sizeof text, "%.*s", (int)(strlen(o->form) - (many ? 4 : 0)), o->form);
            int own = lmb_text_width(text);
            if (!pass && o->doc[0])
                width = own > width && own <= 28 ? own : width;
            if (!pass || !o->doc[0])
                continue;
            fprintf(out, "  %-*s  ", width, text);
            if (own > width)
                fprintf(out, "\n%*s", width + 4, "");
            lmb_print_wrapped(out, o->doc, width + 4, true);
        }
    }
    fprintf(out, "  %-*s  Prints this help.\n", width, "--help");
}

void lmb_print_verb_help(FILE *out, const lmb_verb *verb)
{
    fprintf(out, "usage: limber %s %s\n\n", verb->name, verb->usage);
    lmb_print_wrapped(out, verb->doc, 0, false);
    print_options(out, verb);
    fputs("\nexamples:\n", out);
    for (const char *line = verb->examples; *line;) {
        int length = (int)strcspn(line, "\n");
        fprintf(out, "  %.*s\n", length, line);
        line += length + (line[length] == '\n');
    }
}

/* --- the manual page, in troff with the man macros ---------------------------------------------
 */

/* A text with what troff would take for itself escaped; newlines start new lines, empty lines
 * new paragraphs. */
static void put(FILE *out, const char *text)
{
    bool line_start = true;
    for (const char *c = text; *c; c++) {
        if (line_start && (*c == '.' || *c == '\''))
            fputs("\\&", out);
        line_start = *c == '\n';
        if (c[0] == '\n' && c[1] == '\n') {
            fputs("\n.PP\n", out);
            c++;
        } else if (*c == '-' || *c == '\\') {
            fputs(*c == '-' ? "\\-" : "\\e", out);
        } else {
            putc(*c, out);
        }
    }
}

/* Texts one after the other, ended by NULL: of troff as they are, and every other one escaped. */
static void put_all(FILE *out, const char *const *texts)
{
    for (int i = 0; texts[i]; i++)
        if (i % 2)
            put(out, texts[i]);
        else
            fputs(texts[i], out);
}

static void put_verb(FILE *out, const lmb_verb *verb)
{
    put_all(out,
            (const char *[]){".SS \"", "limber ", "", verb->name, "\"\n\\fBlimber ", verb->name,
                             "\\fR ", verb->usage, "\n.PP\n", verb->doc, "\n", NULL});
    for (const lmb_option *o = verb->options; o && o->form; o++) {
        lmb_option_parts p = lmb_option_split(o);
        if (o->doc[0])
            put_all(out,
                    (const char *[]){".TP\n\\fB", p.letter, p.letter[0] ? "\\fR, \\fB" : "", p.name,
                                     p.argument[0] ? "\\fR \\fI" : "", p.argument, "\\fR\n", o->doc,
                                     p.many ? " May be given more than once.\n" : "\n", NULL});
    }
}

static void print_man(FILE *out)
{
    fprintf(out,
            ".TH LIMBER 1 \"\" \"limber %s\" \"User Commands\"\n.SH NAME\n"
            "limber \\- multibody dynamics\n.SH SYNOPSIS\n",
            lmb_version());
    for (int i = 0; lmb_verbs[i]; i++) {
        fprintf(out, ".B limber %s\n", lmb_verbs[i]->name);
        put(out, lmb_verbs[i]->usage);
        fputs("\n.br\n", out);
    }
    fputs(".SH DESCRIPTION\n"
          "Limber computes the motion and the forces of mechanisms. A mechanism \\- its bodies, "
          "joints, drivers and what is to be computed \\- is written in one text file, the model. "
          "A run leaves a result file, from which the numbers are taken as channels such as\n"
          ".BR crank.position .\n"
          "Data goes to the standard output, everything else to the standard error.\n"
          ".SH COMMANDS\n",
          out);
    for (int i = 0; lmb_verbs[i]; i++)
        put_verb(out, lmb_verbs[i]);
    fputs(
        ".SH EXIT STATUS\n"
        ".TP\n.B 0\nAll went well.\n"
        ".TP\n.B 1\nlimber compare \\-\\-tolerance found a larger difference.\n"
        ".TP\n.B 2\nThe command line was wrong.\n"
        ".TP\n.B 3\nThe model, or another input, was wrong.\n"
        ".TP\n.B 4\nThe solver failed, memory ran out, or the run was interrupted.\n"
        ".TP\n.B 5\nA file could not be read or written.\n"
        ".SH FILES\n"
        ".TP\n.I MODEL.yaml\nA model: YAML text.\n"
        ".TP\n.I RESULT.h5\nA result: an HDF5 file, with one data set per channel and the text of "
        "the model.\n"
        ".SH ENVIRONMENT\n"
        ".TP\n.B NO_COLOR\nMessages are printed without colours.\n"
        ".SH EXAMPLES\n.nf\n",
        out);
    for (int i = 0; lmb_verbs[i]; i++)
        put(out, lmb_verbs[i]->examples);
    fputs(".fi\n", out);
}

static lmb_status run(const lmb_arguments *a)
{
    const lmb_verb *verb = NULL;
    if (lmb_option_value(a, "--man"))
        print_man(stdout);
    else if (lmb_option_value(a, "--reference"))
        return lmb_print_reference(a, stdout);
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
    {"--man", ""}, {"--reference", "Prints all keys of the model file, as Markdown."}, {0}};

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
