/* Studies of models for tests. */
#include "studies.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "program.h"
#include "support.h"

lmb_spec *study_spec(const char *text, const char *settings)
{
    lmb_spec *spec;
    char words[400];
    lmb_messages_clear(context);
    assert_ok(lmb_spec_parse(&spec, context, scratch_path("model.yaml"), text));
    snprintf(words, sizeof words, "%s", settings ? settings : "");
    for (char *word = strtok(words, " "); word; word = strtok(NULL, " ")) {
        char *value = strchr(word, '=');
        assert_non_null(value);
        *value++ = '\0';
        assert_ok(lmb_spec_set(spec, context, word, value));
    }
    return spec;
}

lmb_optimum *optimum_of(const char *text, const char *study, const char *settings)
{
    lmb_spec *spec = study_spec(text, settings);
    lmb_optimum *out;
    assert_ok(lmb_optimise(&out, context, spec, &(lmb_study_options){.name = study, .jobs = 1}));
    lmb_spec_free(spec);
    return out;
}

lmb_fitted *fit_of(const char *text, const char *study, const char *settings)
{
    lmb_spec *spec = study_spec(text, settings);
    lmb_fitted *out;
    assert_ok(lmb_fit(&out, context, spec, &(lmb_study_options){.name = study, .jobs = 1}));
    lmb_spec_free(spec);
    return out;
}

lmb_swept *sweep_of(const char *text, const char *study, const char *settings)
{
    lmb_spec *spec = study_spec(text, settings);
    lmb_swept *out;
    assert_ok(lmb_sweep(&out, context, spec, &(lmb_study_options){.name = study, .jobs = 1}));
    lmb_spec_free(spec);
    return out;
}

lmb_swept *tolerance_of(const char *text, const char *study, const char *settings)
{
    lmb_spec *spec = study_spec(text, settings);
    lmb_swept *out;
    assert_ok(lmb_tolerance(&out, context, spec, &(lmb_study_options){.name = study, .jobs = 1}));
    lmb_spec_free(spec);
    return out;
}

static int place_of(const char *name, int count, const char **names)
{
    for (int i = 0; i < count; i++)
        if (strcmp(names[i], name) == 0)
            return i;
    fail_msg("there is no '%s'", name);
    return 0;
}

double design_of(const lmb_optimum *o, const char *variable)
{
    return o->x[place_of(variable, o->variable_count, o->variables)];
}

double best_of(const lmb_optimum *o, const char *objective)
{
    return o->values[objective ? place_of(objective, o->objective_count, o->objectives) : 0];
}

static const lmb_active *active_of(const lmb_active *list, int count, const char *name)
{
    for (int i = 0; i < count; i++)
        if (strcmp(list[i].name, name) == 0)
            return &list[i];
    return NULL;
}

const lmb_active *limit_of(const lmb_optimum *o, const char *name)
{
    return active_of(o->limits, o->limit_count, name);
}

const lmb_active *bound_of(const lmb_optimum *o, const char *name)
{
    return active_of(o->bounds, o->bound_count, name);
}

int unknown_of(const lmb_fitted *f, const char *variable)
{
    return place_of(variable, f->variable_count, f->variables);
}

int warning_count(void)
{
    int count = 0;
    for (size_t i = 0; i < lmb_message_count(context); i++)
        count += lmb_message_at(context, i)->severity == LMB_WARNING;
    return count;
}

bool was_said(const char *piece)
{
    for (size_t i = 0; i < lmb_message_count(context); i++)
        if (strstr(lmb_message_at(context, i)->text, piece) ||
            strstr(lmb_message_at(context, i)->hint, piece))
            return true;
    return false;
}

double extrapolated(int count, const double *values, const int *powers)
{
    double table[8];
    assert_true(count > 0 && count <= 8);
    memcpy(table, values, (size_t)count * sizeof *table);
    for (int k = 0; k + 1 < count; k++)
        for (int i = 0; i + 1 < count - k; i++)
            table[i] = table[i + 1] + (table[i + 1] - table[i]) / (ldexp(1, powers[k]) - 1);
    return table[0];
}
