/* Loads a model, applies --set, compiles it or reduces one of its bodies. */
#include "cli/load.h"

#include <string.h>

#include "base/file.h"
#include "cli/config.h"
#include "cli/print.h"
#include "read/reader.h"
#include "system/model.h"

/* Sets all parameters that a file lists, as a map of names and values. */
static lmb_status apply_file(const lmb_arguments *a, lmb_spec *spec, const char *path)
{
    char *text;
    lmb_tree *root;
    lmb_status status = lmb_read_text(&text, a->context, a->arena, path);
    if (!status)
        status = lmb_yaml_parse(&root, a->context, a->arena, path, text);
    if (!status && root->kind != LMB_TREE_MAP)
        return lmb_fail_at(a->context, root->place,
                           "parameters are a map, 'NAME: VALUE' in each line, not %s",
                           lmb_tree_kind_name(root));
    for (int i = 0; !status && i < root->count; i++) {
        const lmb_tree *value = root->items[i];
        if (value->kind != LMB_TREE_TEXT || !value->text[0])
            return lmb_fail_at(a->context, value->place, "parameter '%s' needs a number",
                               root->keys[i]->text);
        status = lmb_spec_set(spec, a->context, root->keys[i]->text, value->text);
    }
    return status;
}

static lmb_status apply(const lmb_arguments *a, lmb_spec *spec, const char *assignment)
{
    if (assignment[0] == '@' && assignment[1])
        return apply_file(a, spec, assignment + 1);
    const char *equals = strchr(assignment, '=');
    if (!equals || equals == assignment)
        return lmb_fail(a->context, LMB_USAGE, "'--set %s' is not of the form NAME=VALUE",
                        assignment);
    const char *name = lmb_text_copy(a->arena, assignment, (size_t)(equals - assignment));
    return name ? lmb_spec_set(spec, a->context, name, equals + 1) : lmb_fail_memory(a->context);
}

lmb_status lmb_load_spec(const lmb_arguments *a, lmb_spec **out)
{
    lmb_status status = lmb_spec_load(out, a->context, a->words[0]);
    if (status)
        return status;
    if (!lmb_arena_adopt(a->arena, (*out)->arena)) {
        lmb_spec_free(*out);
        return lmb_fail_memory(a->context);
    }
    (*out)->no_cache = lmb_option_value(a, "--no-cache") != NULL;
    lmb_config config;
    status = lmb_config_read(a, &config);
    lmb_spec_trust(*out, config.trust || lmb_option_value(a, "--trust"));
    lmb_spec_meshing_time(*out, config.meshing_time);
    lmb_context_wait(a->context, lmb_option_value(a, "--wait") != NULL);
    for (const char **set = lmb_option_values(a, "--set"); *set && !status; set++)
        status = apply(a, *out, *set);
    return status;
}

lmb_status lmb_compile_spec(const lmb_arguments *a, const lmb_spec *spec, lmb_model **out)
{
    lmb_progress_start(a->context, lmb_option_value(a, "--quiet") != NULL);
    lmb_status status = lmb_model_compile(out, a->context, spec);
    lmb_progress_done(a->context);
    if (!status && !lmb_arena_adopt(a->arena, (*out)->arena)) {
        lmb_model_free(*out);
        status = lmb_fail_memory(a->context);
    }
    return status;
}

lmb_status lmb_load_model_with(const lmb_arguments *a, const char *name, const char *value,
                               lmb_model **out)
{
    lmb_spec *spec;
    lmb_status status = lmb_load_spec(a, &spec);
    if (!status && name)
        status = lmb_spec_set(spec, a->context, name, value);
    return status ? status : lmb_compile_spec(a, spec, out);
}

lmb_status lmb_load_model(const lmb_arguments *a, lmb_model **out)
{
    return lmb_load_model_with(a, NULL, NULL, out);
}

/* --- bodies ----------------------------------------------------------------------------------- */

lmb_status lmb_load_body(const lmb_arguments *a, bool quiet, bool untied, lmb_reduced_body **out)
{
    *out = NULL;
    if (lmb_is_body_file(a->words[0]))
        return lmb_reduced_body_open(out, a->context, a->words[0]);
    lmb_spec *spec;
    lmb_status status = lmb_load_spec(a, &spec);
    if (status)
        return status;
    const lmb_reduced_body_options options = {.body = lmb_option_value(a, "--body"),
                                              .untied = untied};
    lmb_progress_start(a->context, quiet);
    status = lmb_reduced_body_find(out, a->context, spec, &options);
    lmb_progress_done(a->context);
    return status;
}
