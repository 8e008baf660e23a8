/* Results: a good one is edited as the input says, and all of it is read and put into a report. */
#include "fuzz_h5.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "limber/limber.h"
#include "read/reader.h"
#include "report/report.h"
#include "result/write.h"

static const char text[] = "limber: 1\n"
                           "title: Rod and beam\n"
                           "dimension: 2\n"
                           "gravity: [0, -9.81]\n"
                           "bodies:\n"
                           "  rod: {shape: {bar: {length: 1}}, mass: 1, points: {end: [0.5, 0]}}\n"
                           "  beam:\n"
                           "    beam: {from: [0, 0], to: [1, 0], elements: 2, material: steel,\n"
                           "           section: {rectangle: {width: 0.02, height: 0.01}}}\n"
                           "    interfaces: {start: start, end: end}\n"
                           "    reduction: {modes: 1}\n"
                           "joints:\n"
                           "  a: {type: revolute, between: [ground, rod]}\n"
                           "  b: {type: revolute, between: [rod.end, beam.start]}\n"
                           "analyses:\n"
                           "  swing: {type: dynamics, duration: 0.002, output_step: 0.001}\n";

/* The result, made once. */
static const void *good_result(size_t *size)
{
    static lmb_result *result;
    if (!result) {
        lmb_context *context = fuzz_context(100000);
        lmb_spec *spec = NULL;
        lmb_model *model = NULL;
        lmb_status status = lmb_spec_parse(&spec, context, "/nonexistent/result.yaml", text);
        if (!status) {
            spec->no_cache = true;
            status = lmb_model_compile(&model, context, spec);
        }
        if (!status)
            status = lmb_run_to_memory(&result, context, model, NULL);
        for (size_t i = 0; status && i < lmb_message_count(context); i++)
            fprintf(stderr, "%s\n", lmb_message_at(context, i)->text);
        if (status)
            abort();
        lmb_model_free(model);
        lmb_spec_free(spec);
        lmb_context_free(context);
    }
    return lmb_result_image(result, size);
}

/* Reads what there is, of the channels every fifth; what fails is a failure of all. */
static lmb_status read_all(lmb_context *context, lmb_result *result, int first)
{
    lmb_status status = LMB_OK;
    for (int a = 0; a < lmb_result_analysis_count(result); a++)
        for (int i = first; i < lmb_result_channel_count(result, a); i += 5) {
            char name[1000];
            lmb_series series;
            snprintf(name, sizeof name, "%s/%s", lmb_result_analysis_name(result, a),
                     lmb_result_channel(result, a, i)->name);
            lmb_status this = lmb_result_read(result, context, name, &series);
            if (!this)
                lmb_series_free(&series);
            status = status ? status : this;
        }
    int count;
    for (int a = 0; a < lmb_result_analysis_count(result); a++)
        free(lmb_record_array(result, a, "beam", "envelope/stress", &count));
    lmb_checkpoint checkpoint;
    if (lmb_checkpoint_read(lmb_result_file(result), &checkpoint) == LMB_FOUND)
        free(checkpoint.numbers);
    (void)lmb_result_text(result, "model");
    return status;
}

/* Makes a report, which must explain what it cannot do. */
static lmb_status report(lmb_context *context, lmb_result *result, lmb_status before)
{
    const lmb_report_request request = {.viewer = "<html></html>",
                                        .path = fuzz_file("report.html", "", 0)};
    lmb_status status = lmb_report_result(context, result, &request);
    return before ? before : status;
}

FUZZ_TARGET(result)
{
    size_t length, edited;
    const void *good = good_result(&length);
    unsigned char *bytes = fuzz_h5_edit(good, length, data, size, &edited);
    if (!bytes)
        return 0;
    lmb_context *context = fuzz_context(1000);
    lmb_result *result = NULL;
    lmb_status status = lmb_result_open_image(&result, context, bytes, edited);
    free(bytes);
    if (!status) {
        status = read_all(context, result, size ? data[0] % 5 : 0);
        if (size > 0 && data[0] >= 240) /* which takes most of the time */
            status = report(context, result, status);
    }
    lmb_result_close(result);
    fuzz_end(context, status);
    return 0;
}
