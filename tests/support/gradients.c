/* Gradients of models for tests. */
#include "gradients.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support.h"

lmb_gradient *gradient_of_spec(lmb_spec *spec, const char *parameters, lmb_gradient_method method,
                               const lmb_integrator *integrator, double step)
{
    enum { MOST = 30 };
    char words[300];
    const char *names[MOST + 1] = {NULL};
    int count = 0;
    snprintf(words, sizeof words, "%s", parameters ? parameters : "");
    for (char *word = strtok(words, " "); word && count < MOST; word = strtok(NULL, " "))
        names[count++] = word;
    lmb_gradient_request request = {.parameters = parameters ? names : NULL,
                                    .method = method,
                                    .integrator = integrator ? integrator->name : NULL,
                                    .step = step,
                                    .jobs = 1};
    lmb_gradient *g;
    assert_ok(lmb_gradient_find(&g, context, spec, &request));
    return g;
}

lmb_gradient *gradient_of_text(const char *text, const char *parameters, lmb_gradient_method method,
                               double step)
{
    lmb_spec *spec;
    lmb_messages_clear(context);
    assert_ok(lmb_spec_parse(&spec, context, "test", text));
    lmb_gradient *g = gradient_of_spec(spec, parameters, method, NULL, step);
    lmb_spec_free(spec);
    return g;
}

static int place_of(const char *name, int count, const char **names)
{
    for (int i = 0; i < count; i++)
        if (strcmp(names[i], name) == 0)
            return i;
    fail_msg("there is no '%s'", name);
    return -1;
}

double value_of(const lmb_gradient *g, const char *objective)
{
    return g->values[place_of(objective, g->objective_count, g->objectives)];
}

double slope_of(const lmb_gradient *g, const char *objective, const char *parameter)
{
    if (!parameter)
        return value_of(g, objective);
    int i = place_of(objective, g->objective_count, g->objectives);
    int p = place_of(parameter, g->parameter_count, g->parameters);
    return g->derivatives[i * g->parameter_count + p];
}

char *example_text(const char *name, const char *end)
{
    enum { MOST = 1 << 16 };
    char path[128], *text = calloc(1, MOST);
    snprintf(path, sizeof path, "examples/%s/%s.yaml", name, name);
    FILE *file = fopen(path, "r");
    if (!file || !text)
        fail_msg("cannot read %s", path);
    size_t size = fread(text, 1, MOST - 1, file);
    fclose(file);
    char *analyses = strstr(text, "\nanalyses:");
    assert_non_null(analyses);
    assert_true(size + strlen(end) + 1 < MOST);
    strcpy(analyses + 1, end);
    return text;
}
