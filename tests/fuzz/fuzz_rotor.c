/* Rotors: compiled and solved; a progress call ends it. */
#include "fuzz.h"

#include <stdlib.h>

#include "limber/model.h"
#include "rotor/results.h"
#include "system/model.h"

static lmb_status solve(lmb_context *context, const lmb_model *model)
{
    lmb_rotor_results *results = NULL;
    lmb_status status = lmb_rotor_solve(&results, context, model->rotor, 1);
    lmb_rotor_results_free(results);
    return status;
}

FUZZ_TARGET(rotor)
{
    lmb_context *context = fuzz_context(10);
    lmb_spec *spec;
    lmb_model *model = NULL;
    char *text = fuzz_text(data, size);
    lmb_status status = lmb_spec_parse(&spec, context, "/nonexistent/fuzz.yaml", text);
    if (!status) {
        status = lmb_model_compile(&model, context, spec);
        lmb_spec_free(spec);
    }
    if (!status && model->rotor)
        status = solve(context, model);
    lmb_model_free(model);
    free(text);
    fuzz_end(context, status);
    return 0;
}
