/* Loads a model, applies --set, compiles it. */
#include "cli/load.h"

#include <string.h>

#include "base/message.h"
#include "base/text.h"
#include "read/spec.h"
#include "system/model.h"

static lmb_status apply(lmb_context *context, lmb_spec *spec, const char *assignment)
{
    const char *equals = strchr(assignment, '=');
    if (!equals || equals == assignment) {
        lmb_fail(context, LMB_USAGE, "'--set %s' is not of the form NAME=VALUE", assignment);
        return LMB_USAGE;
    }
    char name[128];
    size_t length = (size_t)(equals - assignment);
    if (length >= sizeof name)
        return lmb_fail(context, LMB_USAGE, "the name in '--set %s' is too long", assignment);
    memcpy(name, assignment, length);
    name[length] = 0;
    return lmb_spec_set(spec, context, name, equals + 1);
}

lmb_status lmb_load_spec(const lmb_arguments *arguments, lmb_spec **out)
{
    lmb_context *context = arguments->context;
    lmb_status status = lmb_spec_load(out, context, arguments->words[0]);
    if (status)
        return status;
    (*out)->no_cache = lmb_option_value(arguments, "--no-cache") != NULL;
    const char **settings = lmb_option_values(arguments, "--set");
    for (int i = 0; !status && settings && settings[i]; i++)
        status = apply(context, *out, settings[i]);
    if (status) {
        lmb_spec_free(*out);
        *out = NULL;
    }
    return status;
}

lmb_status lmb_load_model(const lmb_arguments *arguments, lmb_model **out)
{
    lmb_spec *spec;
    *out = NULL;
    lmb_status status = lmb_load_spec(arguments, &spec);
    if (!status)
        status = lmb_model_compile(out, arguments->context, spec);
    if (spec)
        lmb_spec_free(spec);
    return status;
}

lmb_status lmb_load_mechanism(const lmb_arguments *arguments, lmb_model **out)
{
    lmb_status status = lmb_load_model(arguments, out);
    if (status || (*out)->body_count > 1 || !(*out)->rotor)
        return status;
    lmb_fail(arguments->context, LMB_BAD_INPUT, "%s has no bodies, but a rotor", (*out)->file);
    lmb_hint(arguments->context, "see `limber rotor`");
    return LMB_BAD_INPUT;
}
