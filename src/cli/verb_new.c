/* limber new: a commented model to start from. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "cli/print.h"
#include "cli/typed.h"

/* The first comment line of a template: what it is. */
static void print_template(const lmb_embedded_text *t)
{
    const char *line = t->text;
    while (*line == '#' || *line == ' ')
        line++;
    printf("%-22s %.*s\n", t->name, (int)strcspn(line, "\n"), line);
}

static lmb_status write_file(lmb_context *context, const char *path, const char *text)
{
    FILE *file = fopen(path, "wx");
    if (!file && errno == EEXIST) {
        lmb_fail(context, LMB_IO, "'%s' exists already and is not overwritten", path);
        return lmb_hint(context, "name another file: limber new TEMPLATE FILE");
    }
    bool written = file && fputs(text, file) >= 0;
    int error = errno;
    if (file && fclose(file) != 0) {
        error = written ? errno : error;
        written = false;
    }
    if (file && !written)
        remove(path); /* no half of it stays */
    if (!written)
        return lmb_fail(context, LMB_IO, "cannot write '%s': %s", path, strerror(error));
    fprintf(stderr, "Wrote %s; try `limber %s %s`.\n", path,
            strstr(text, "\nrotor:") ? "rotor" : "run", path);
    return LMB_OK;
}

static lmb_status run(const lmb_arguments *a)
{
    if (a->count == 0) {
        for (const lmb_embedded_text *t = lmb_templates; t->name; t++)
            print_template(t);
        return LMB_OK;
    }
    lmb_nearest near;
    int found = lmb_find_name(lmb_templates, sizeof *lmb_templates, -1, a->words[0], &near);
    if (found < 0)
        return lmb_fail_choice(a->context, "template", &near, "`limber new` lists them");
    const lmb_embedded_text *t = &lmb_templates[found];
    const char *file = a->count > 1 ? a->words[1] : lmb_name_after(a, t->name, ".yaml");
    if (*a->status)
        return *a->status;
    if (strcmp(file, "-") != 0)
        return write_file(a->context, file, t->text);
    return fputs(t->text, stdout) >= 0
               ? LMB_OK
               : lmb_fail(a->context, LMB_IO, "cannot write: %s", strerror(errno));
}

const lmb_verb lmb_verb_new = {
    .name = "new",
    .usage = "[TEMPLATE [FILE]]",
    .summary = "Writes a commented model to start from.",
    .doc =
        "Writes one of the examples as a model file (TEMPLATE.yaml unless FILE is given; - for "
        "standard output). Without a template it lists them. Existing files are not overwritten.",
    .examples = "limber new\nlimber new slider-crank\nlimber new four-bar my-linkage.yaml\n",
    .words = {0, 2},
    .run = run,
};
