/* Models: parsed and compiled. */
#include "fuzz.h"

#include <stdlib.h>

#include "limber/model.h"
#include "read/reader.h"

FUZZ_TARGET(model)
{
    lmb_context *context = fuzz_context(100);
    lmb_spec *spec;
    lmb_model *model = NULL;
    char *text = fuzz_text(data, size);
    lmb_status status = lmb_spec_parse(&spec, context, "/nonexistent/fuzz.yaml", text);
    if (!status) {
        spec->no_cache = true;
        status = lmb_model_compile(&model, context, spec);
        lmb_spec_free(spec);
    }
    if ((status == LMB_OK) != (model != NULL))
        abort();
    lmb_model_free(model);
    free(text);
    fuzz_end(context, status);
    return 0;
}
