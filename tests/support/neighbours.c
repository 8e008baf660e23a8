/* Models at nearby values of a parameter, for tests. */
#include "neighbours.h"

#include <stdio.h>

#include "bodies/flexible.h"
#include "models.h"
#include "read/reader.h"
#include "reduction/align.h"
#include "support.h"

/* A model with a parameter set to a value, as a neighbour of a base unless that is NULL. */
static lmb_status compile(lmb_model **out, const char *text, const char *parameter, double value,
                          const lmb_model *base)
{
    char number[40];
    lmb_spec *spec;
    assert_ok(lmb_spec_parse(&spec, context, "test", text));
    snprintf(number, sizeof number, "%.17g", value);
    if (parameter)
        assert_ok(lmb_spec_set(spec, context, parameter, number));
    spec->like = base;
    lmb_status status = lmb_model_compile(out, context, spec);
    lmb_spec_free(spec);
    return status;
}

lmb_model *model_at(const char *text, const char *parameter, double value, const lmb_model *base)
{
    lmb_model *model;
    assert_ok(compile(&model, text, parameter, value, base));
    return model;
}

const lmb_modal *modal_in(const lmb_model *m, int i)
{
    return lmb_body_elasticity(&m->bodies[i])->modal;
}

/* Puts a body of a model into another basis. */
void change_basis(lmb_model *m, int i, const double *T)
{
    lmb_body *b = &m->bodies[i];
    const lmb_body_data *data = lmb_body_data_in_basis(m->arena, lmb_body_data_of(b), T);
    assert_non_null(data);
    assert_ok(lmb_flexible_in_basis(b, context, m->arena, data, T));
}
