/* limber new: a commented model to start from. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/message.h"
#include "base/text.h"
#include "cli/templates.h"
#include "cli/verb.h"

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
        lmb_hint(context, "name another file: limber new TEMPLATE FILE");
        return LMB_IO;
    }
    bool written = file && fputs(text, file) >= 0;
    if ((file && fclose(file) != 0) || !written)
        return lmb_fail(context, LMB_IO, "cannot write '%s': %s", path, strerror(errno));
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
    const lmb_embedded_text *found = NULL;
    lmb_nearest nearest = lmb_nearest_start(a->words[0]);
    for (const lmb_embedded_text *t = lmb_templates; t->name; t++) {
        lmb_nearest_try(&nearest, t->name);
        if (strcmp(t->name, a->words[0]) == 0)
            found = t;
    }
    if (!found) {
        lmb_fail(a->context, LMB_USAGE, "there is no template '%s'", a->words[0]);
        if (nearest.best)
            lmb_nearest_hint(a->context, &nearest);
        else
            lmb_hint(a->context, "`limber new` lists them");
        return LMB_USAGE;
    }
    char path[4096];
    snprintf(path, sizeof path, "%s.yaml", found->name);
    const char *file = a->count > 1 ? a->words[1] : path;
    if (strcmp(file, "-") == 0)
        return fputs(found->text, stdout) < 0
                   ? lmb_fail(a->context, LMB_IO, "cannot write: %s", strerror(errno))
                   : LMB_OK;
    return write_file(a->context, file, found->text);
}

static const lmb_option options[] = {{0}};

const lmb_verb lmb_verb_new = {
    .name = "new",
    .usage = "[TEMPLATE [FILE]]",
    .summary = "Writes a commented model to start from.",
    .doc =
        "Writes one of the examples as a model file (TEMPLATE.yaml unless FILE is given; - for "
        "standard output). Without a template it lists them. Existing files are not overwritten.",
    .examples = "limber new\nlimber new slider-crank\nlimber new four-bar my-linkage.yaml\n",
    .least = 0,
    .most = 2,
    .options = options,
    .run = run,
};
