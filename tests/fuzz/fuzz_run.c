/* Models: compiled, checked, and their analyses begun; a progress call ends them. The channels of
 * the result are read. */
#include "fuzz.h"

#include <stdlib.h>

#include "limber/analysis.h"
#include "read/reader.h"

static void read_result(lmb_context *context, lmb_result *result)
{
    for (int a = 0; a < lmb_result_analysis_count(result); a++) {
        lmb_series series;
        const lmb_channel *channel = lmb_result_channel(result, a, 0);
        if (channel && !lmb_result_read(result, context, channel->name, &series))
            lmb_series_free(&series);
    }
    lmb_result_close(result);
}

static lmb_status run(lmb_context *context, const char *text)
{
    lmb_spec *spec;
    lmb_model *model = NULL;
    lmb_result *result = NULL;
    lmb_status status = lmb_spec_parse(&spec, context, "/nonexistent/fuzz.yaml", text);
    if (status)
        return status;
    spec->no_cache = true;
    status = lmb_model_compile(&model, context, spec);
    lmb_spec_free(spec);
    if (status)
        return status;
    status = lmb_run_to_memory(&result, context, model, NULL);
    if (result)
        read_result(context, result);
    lmb_model_free(model);
    return status;
}

FUZZ_TARGET(run)
{
    lmb_context *context = fuzz_context(10);
    char *text = fuzz_text(data, size);
    lmb_status status = run(context, text);
    free(text);
    fuzz_end(context, status);
    return 0;
}
