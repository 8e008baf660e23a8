/* Models for tests. */
#include "models.h"

#include <stdio.h>
#include <string.h>

#include "support.h"

lmb_context *context;

int open_models(void **unused)
{
    (void)unused;
    context = lmb_context_new();
    return context ? 0 : -1;
}

int close_models(void **unused)
{
    (void)unused;
    lmb_context_free(context);
    return 0;
}

void assert_ok(lmb_status status)
{
    size_t count = lmb_message_count(context);
    if (status)
        fail_msg("%s",
                 count ? lmb_message_at(context, count - 1)->text : "failed without a message");
}

static lmb_model *compiled(lmb_spec *spec)
{
    lmb_model *model;
    assert_ok(lmb_model_compile(&model, context, spec));
    lmb_spec_free(spec);
    return model;
}

lmb_model *model_of_text(const char *text)
{
    lmb_spec *spec;
    lmb_messages_clear(context);
    assert_ok(lmb_spec_parse(&spec, context, "test", text));
    return compiled(spec);
}

static lmb_spec *spec_of_example(const char *name)
{
    char path[128];
    lmb_spec *spec;
    lmb_messages_clear(context);
    snprintf(path, sizeof path, "examples/%s/%s.yaml", name, name);
    assert_ok(lmb_spec_load(&spec, context, path));
    return spec;
}

lmb_model *model_of_example(const char *name, const char *parameter, const char *value)
{
    lmb_spec *spec = spec_of_example(name);
    if (parameter)
        assert_ok(lmb_spec_set(spec, context, parameter, value));
    return compiled(spec);
}

lmb_model *example_with(const char *name, const char *parameters)
{
    lmb_spec *spec = spec_of_example(name);
    char words[400];
    snprintf(words, sizeof words, "%s", parameters);
    for (char *word = strtok(words, " "); word; word = strtok(NULL, " ")) {
        char *value = strchr(word, '=');
        assert_non_null(value);
        *value++ = '\0';
        assert_ok(lmb_spec_set(spec, context, word, value));
    }
    return compiled(spec);
}
