/* Reading model files into trees, and changing their parameters. */
#include "read/reader.h"

#include <string.h>

#include "base/text.h"
#include "base/file.h"

/* A spec of a text, or (NULL) of the file of that name. */
static lmb_status make(lmb_spec **out, lmb_context *context, const char *name, const char *text)
{
    lmb_arena *arena;
    lmb_spec *spec = lmb_arena_object(&arena, sizeof *spec);
    if (!spec)
        return lmb_fail_memory(context);
    char *own = text ? lmb_text_copy(arena, text, strlen(text)) : NULL;
    lmb_status status = text ? LMB_OK : lmb_read_text(&own, context, arena, name);
    if (!text)
        lmb_input_note(context, name);
    *spec = (lmb_spec){.arena = arena,
                       .tree = arena,
                       .file = lmb_text_copy(arena, name, strlen(name)),
                       .text = own};
    if (!status && !(status = lmb_check_memory(context, arena)))
        status = lmb_yaml_parse(&spec->root, context, arena, spec->file, spec->text);
    status = lmb_final_status(context, status);
    if (status)
        lmb_spec_free(spec);
    else
        *out = spec;
    return status;
}

lmb_status lmb_spec_load(lmb_spec **out, lmb_context *context, const char *path)
{
    LMB_REQUIRE_OUT(context, out, path);
    return make(out, context, path, NULL);
}

lmb_status lmb_spec_parse(lmb_spec **out, lmb_context *context, const char *name, const char *text)
{
    LMB_REQUIRE_OUT(context, out, name, text);
    return make(out, context, name, text);
}

/* The overrides of another spec, in their order, in an arena of their own. */
static lmb_override *copy_overrides(lmb_arena *arena, const lmb_override *of)
{
    lmb_override *first = NULL, **last = &first;
    for (; of && lmb_arena_fine(arena); of = of->next, last = &(*last)->next) {
        if (!(*last = lmb_arena_alloc(arena, 1, sizeof **last)))
            break;
        (*last)->name = lmb_text_copy(arena, of->name, strlen(of->name));
        (*last)->value = lmb_text_copy(arena, of->value, strlen(of->value));
    }
    return first;
}

/* Shares what is attached to another spec. */
static lmb_attached *copy_attached(lmb_arena *arena, const lmb_attached *of)
{
    lmb_attached *first = NULL, **last = &first;
    for (; of && (*last = lmb_arena_alloc(arena, 1, sizeof **last));
         of = of->next, last = &(*last)->next) {
        **last = *of;
        (*last)->name = lmb_text_copy(arena, of->name, strlen(of->name));
        (*last)->next = NULL;
        lmb_arena_share(of->arena);
    }
    return first;
}

const char *lmb_attached_text(lmb_arena *arena, const lmb_spec *spec)
{
    const char *text = "";
    for (const lmb_attached *a = spec->attached; a && text; a = a->next)
        text = lmb_text_format(arena, "%s%s %s\n", text, a->key, a->name);
    return text;
}

lmb_status lmb_spec_copy(lmb_spec **out, lmb_context *context, const lmb_spec *of)
{
    LMB_REQUIRE_OUT(context, out, of);
    lmb_arena *arena;
    lmb_spec *spec = lmb_arena_object(&arena, sizeof *spec);
    if (!spec || !lmb_arena_adopt(arena, of->tree)) {
        lmb_arena_free(arena);
        return lmb_fail_memory(context);
    }
    lmb_arena_share(of->tree);
    *spec = *of;
    spec->arena = arena;
    spec->overrides = copy_overrides(arena, of->overrides);
    spec->functions = lmb_functions_copy(arena, of->functions);
    spec->attached = copy_attached(arena, of->attached);
    lmb_status status = lmb_check_memory(context, arena);
    if (status)
        lmb_spec_free(spec);
    else
        *out = spec;
    return status;
}

void lmb_spec_free(lmb_spec *spec)
{
    if (!spec)
        return;
    for (lmb_attached *a = spec->attached; a; a = a->next)
        lmb_arena_free(a->arena);
    lmb_arena_free(spec->arena);
}

void lmb_spec_trust(lmb_spec *spec, bool trusted)
{
    if (spec)
        spec->trusted = trusted;
}

void lmb_spec_meshing_time(lmb_spec *spec, double seconds)
{
    if (spec)
        spec->meshing_seconds = seconds;
}

lmb_status lmb_spec_set(lmb_spec *spec, lmb_context *context, const char *parameter,
                        const char *value)
{
    LMB_REQUIRE(context, spec, parameter, value);
    const lmb_tree *parameters = lmb_tree_get(spec->root, "parameters");
    if (lmb_tree_find(parameters, parameter) < 0) {
        lmb_fail(context, LMB_BAD_INPUT, "%s has no parameter '%s'", spec->file, parameter);
        lmb_nearest nearest = lmb_nearest_start(parameter);
        for (int i = 0; parameters && i < parameters->count; i++)
            if (parameters->keys[i])
                lmb_nearest_try(&nearest, parameters->keys[i]->text);
        return lmb_nearest_hint(context, &nearest);
    }
    lmb_override *o = lmb_arena_alloc(spec->arena, 1, sizeof *o);
    const char *name = lmb_text_copy(spec->arena, parameter, strlen(parameter));
    const char *text = lmb_text_copy(spec->arena, value, strlen(value));
    if (!o || !name || !text)
        return lmb_fail_memory(context);
    *o = (lmb_override){name, text, spec->overrides};
    spec->overrides = o;
    return LMB_OK;
}

lmb_status lmb_spec_set_number(lmb_spec *spec, lmb_context *context, const char *parameter,
                               double value)
{
    char text[40];
    lmb_snprintf(text, sizeof text, "%.17g", value);
    return lmb_spec_set(spec, context, parameter, text);
}

/* --- functions of the program ----------------------------------------------------------------- */

lmb_defined *lmb_functions_copy(lmb_arena *arena, const lmb_defined *of)
{
    lmb_defined *first = NULL, **last = &first;
    for (; of && lmb_arena_fine(arena); of = of->next, last = &(*last)->next) {
        if (!(*last = lmb_arena_alloc(arena, 1, sizeof **last)))
            break;
        **last = (lmb_defined){.function = of->function};
        (*last)->function.name = lmb_text_copy(arena, of->function.name, strlen(of->function.name));
    }
    return first;
}

/* Whether a name can be that of a function in expressions of a spec. */
static lmb_status check_function_name(const lmb_spec *spec, lmb_context *context, const char *name)
{
    static const char *const sections[] = {"parameters", "tables"};
    size_t length = name ? strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                        "0123456789_")
                         : 0;
    if (length == 0 || name[length] || (name[0] >= '0' && name[0] <= '9'))
        return lmb_fail(context, LMB_USAGE,
                        "'%s' cannot be the name of a function: that has letters, digits and '_'",
                        name ? name : "");
    if (lmb_expr_is_reserved(name))
        return lmb_fail(context, LMB_USAGE, "expressions have a '%s' already", name);
    for (int i = 0; i < 2; i++)
        if (lmb_tree_find(lmb_tree_get(spec->root, sections[i]), name) >= 0)
            return lmb_fail(context, LMB_USAGE, "'%s' is in the section '%s' of %s already", name,
                            sections[i], spec->file);
    return LMB_OK;
}

static lmb_status check_function(const lmb_spec *spec, lmb_context *context, const lmb_function *f)
{
    if (!f || !f->call)
        return lmb_fail(context, LMB_USAGE, "there is no function to define");
    lmb_status status = check_function_name(spec, context, f->name);
    if (status)
        return status;
    if (f->arguments < 0 || f->arguments > LMB_FUNCTION_ARGUMENTS)
        return lmb_fail(context, LMB_USAGE, "function '%s' has 0 to %d arguments, not %d", f->name,
                        LMB_FUNCTION_ARGUMENTS, f->arguments);
    if (f->results < 1 || f->results > 3)
        return lmb_fail(context, LMB_USAGE, "function '%s' has 1, 2 or 3 results, not %d", f->name,
                        f->results);
    if (f->derivatives < 0 || f->derivatives > 2)
        return lmb_fail(context, LMB_USAGE, "function '%s' has 0, 1 or 2 derivatives, not %d",
                        f->name, f->derivatives);
    return LMB_OK;
}

lmb_status lmb_spec_define(lmb_spec *spec, lmb_context *context, const lmb_function *f)
{
    LMB_REQUIRE(context, spec);
    lmb_status status = check_function(spec, context, f);
    if (status)
        return status;
    lmb_defined *d = spec->functions;
    while (d && strcmp(d->function.name, f->name) != 0)
        d = d->next;
    const char *name = d ? d->function.name : lmb_text_copy(spec->arena, f->name, strlen(f->name));
    if (!d && (d = lmb_arena_alloc(spec->arena, 1, sizeof *d)) && name) {
        d->next = spec->functions;
        spec->functions = d;
    }
    if (!d || !name)
        return lmb_fail_memory(context);
    d->function = *f;
    d->function.name = name;
    return LMB_OK;
}
