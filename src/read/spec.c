/* Reading model files into trees, and changing their parameters. */
#include "read/spec.h"

#include <string.h>

#include "base/text.h"
#include "base/file.h"

static lmb_spec *new_spec(const char *name)
{
    lmb_arena *arena;
    lmb_spec *spec = lmb_arena_object(&arena, sizeof *spec);
    const char *file = spec ? lmb_text_copy(arena, name, strlen(name)) : NULL;
    if (!file) {
        lmb_arena_free(arena);
        return NULL;
    }
    spec->arena = arena;
    spec->file = file;
    return spec;
}

static lmb_status finish(lmb_spec **out, lmb_context *context, lmb_spec *spec, lmb_status status)
{
    if (!status)
        status = lmb_yaml_parse(&spec->root, context, spec->arena, spec->file, spec->text);
    if (status) {
        lmb_spec_free(spec);
        return status;
    }
    *out = spec;
    return LMB_OK;
}

lmb_status lmb_spec_load(lmb_spec **out, lmb_context *context, const char *path)
{
    *out = NULL;
    lmb_spec *spec = new_spec(path);
    if (!spec)
        return lmb_fail_memory(context);
    char *text;
    lmb_status status = lmb_read_text(&text, context, spec->arena, path);
    spec->text = text;
    return finish(out, context, spec, status);
}

lmb_status lmb_spec_parse(lmb_spec **out, lmb_context *context, const char *name, const char *text)
{
    *out = NULL;
    lmb_spec *spec = new_spec(name);
    if (!spec)
        return lmb_fail_memory(context);
    spec->text = lmb_text_copy(spec->arena, text, strlen(text));
    return finish(out, context, spec, spec->text ? LMB_OK : lmb_fail_memory(context));
}

void lmb_spec_free(lmb_spec *spec)
{
    if (spec)
        lmb_arena_free(spec->arena);
}

lmb_status lmb_spec_set(lmb_spec *spec, lmb_context *context, const char *parameter,
                        const char *value)
{
    const lmb_tree *parameters = lmb_tree_get(spec->root, "parameters");
    if (lmb_tree_find(parameters, parameter) < 0) {
        lmb_fail(context, LMB_BAD_INPUT, "%s has no parameter '%s'", spec->file, parameter);
        lmb_nearest nearest = lmb_nearest_start(parameter);
        for (int i = 0; parameters && i < parameters->count; i++)
            if (parameters->keys[i])
                lmb_nearest_try(&nearest, parameters->keys[i]->text);
        lmb_nearest_hint(context, &nearest);
        return LMB_BAD_INPUT;
    }
    lmb_override *o = lmb_arena_alloc(spec->arena, 1, sizeof *o);
    if (!o)
        return lmb_fail_memory(context);
    o->name = lmb_text_copy(spec->arena, parameter, strlen(parameter));
    o->value = lmb_text_copy(spec->arena, value, strlen(value));
    o->next = spec->overrides;
    if (!o->name || !o->value)
        return lmb_fail_memory(context);
    spec->overrides = o;
    return LMB_OK;
}
