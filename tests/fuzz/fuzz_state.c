/* State files, of a model with bodies of several kinds. */
#include "fuzz.h"

#include <stdlib.h>

#include "limber/model.h"
#include "model/state_file.h"

static const char text[] =
    "limber: 1\n"
    "dimension: 3\n"
    "bodies:\n"
    "  arm: {mass: 1, inertia: [1, 1, 1]}\n"
    "  ball: {type: particle, mass: 2}\n"
    "  rod:\n"
    "    beam: {from: [0, 0, 0], to: [1, 0, 0], elements: 2, material: steel,\n"
    "           section: {circle: {diameter: 0.02}}}\n"
    "    interfaces: {start: start}\n"
    "    reduction: {modes: 2}\n"
    "joints:\n"
    "  pin: {type: revolute, between: [ground, arm], axis: [0, 0, 1]}\n"
    "analyses:\n"
    "  swing: {type: dynamics, duration: 1, output_step: 0.1}\n";

/* The model, made once. */
static const lmb_model *make_model(void)
{
    static lmb_model *model;
    if (!model) {
        lmb_context *context = fuzz_context(1000);
        lmb_spec *spec = NULL;
        lmb_status status = lmb_spec_parse(&spec, context, "/nonexistent/state.yaml", text);
        if (!status)
            status = lmb_model_compile(&model, context, spec);
        lmb_spec_free(spec);
        fuzz_end(context, status);
        if (status)
            abort();
    }
    return model;
}

FUZZ_TARGET(state)
{
    const lmb_model *model = make_model();
    lmb_context *context = fuzz_context(0);
    lmb_state *state = lmb_state_new(model);
    if (!state)
        abort();
    lmb_status status = lmb_state_load(state, context, fuzz_file("state.yaml", data, size));
    lmb_state_free(state);
    fuzz_end(context, status);
    return 0;
}
