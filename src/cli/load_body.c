/* Reduced bodies for the verbs. */
#include "cli/load_body.h"

#include "cli/load.h"
#include "cli/print.h"
#include "model/flexible_part.h"

static lmb_status reduce(const lmb_arguments *a, const lmb_spec *spec, lmb_body_data **out,
                         bool *cached)
{
    lmb_flexible_parts *parts;
    lmb_status status = lmb_flexible_parts_read(&parts, a->context, spec);
    if (status)
        return status;
    lmb_flexible_part *part;
    status = lmb_flexible_part_find(parts, a->context, lmb_option_value(a, "--body"), &part);
    if (!status)
        status = lmb_part_reduce(part, a->context, a->words[0], !lmb_option_value(a, "--no-cache"),
                                 out, cached);
    lmb_flexible_parts_free(parts);
    return status;
}

lmb_status lmb_load_body(const lmb_arguments *a, bool quiet, lmb_body_data **out, bool *cached)
{
    *out = NULL;
    *cached = false;
    if (lmb_is_body_file(a->words[0]))
        return lmb_body_read(out, a->context, a->words[0]);
    lmb_spec *spec;
    lmb_status status = lmb_load_spec(a, &spec);
    if (status)
        return status;
    lmb_progress_display display = lmb_progress_start(quiet);
    lmb_context_on_progress(a->context, lmb_progress_show, &display);
    status = reduce(a, spec, out, cached);
    lmb_progress_done(&display);
    lmb_context_on_progress(a->context, NULL, NULL);
    lmb_spec_free(spec);
    return status;
}
