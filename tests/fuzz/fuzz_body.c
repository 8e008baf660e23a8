/* Files of reduced bodies: a good one is edited as the input says and read. */
#include "fuzz_h5.h"

#include <stdio.h>
#include <stdlib.h>

#include "limber/model.h"
#include "model/flexible_part.h"
#include "read/reader.h"
#include "store/body_file.h"

static const char text[] =
    "limber: 1\n"
    "dimension: 3\n"
    "bodies:\n"
    "  beam:\n"
    "    beam: {from: [0, 0, 0], to: [1, 0, 0], elements: 2, material: steel,\n"
    "           section: {rectangle: {width: 0.02, height: 0.01}}}\n"
    "    interfaces: {start: start, end: end}\n"
    "    reduction: {modes: 2}\n";

static lmb_status make(lmb_context *context, unsigned char **bytes, size_t *size)
{
    lmb_spec *spec = NULL;
    lmb_flexible_parts *parts = NULL;
    lmb_flexible_part *part;
    lmb_body_data *body = NULL;
    bool cached;
    lmb_status status = lmb_spec_parse(&spec, context, "/nonexistent/body.yaml", text);
    if (!status)
        status = lmb_flexible_parts_read(&parts, context, spec);
    if (!status)
        status = lmb_flexible_part_find(parts, context, NULL, &part);
    if (!status)
        status = lmb_part_reduce(part, context, "/nonexistent/body.yaml", false, &body, &cached);
    if (!status)
        status = lmb_body_image(body, context, bytes, size);
    lmb_body_free(body);
    lmb_flexible_parts_free(parts);
    lmb_spec_free(spec);
    return status;
}

/* The body, made once. */
static const void *good_body(size_t *size)
{
    static unsigned char *bytes;
    static size_t length;
    if (!bytes) {
        lmb_context *context = fuzz_context(100000);
        lmb_status status = make(context, &bytes, &length);
        for (size_t i = 0; status && i < lmb_message_count(context); i++)
            fprintf(stderr, "%s\n", lmb_message_at(context, i)->text);
        if (status)
            abort();
        lmb_context_free(context);
    }
    *size = length;
    return bytes;
}

FUZZ_TARGET(body)
{
    size_t length, edited;
    const void *good = good_body(&length);
    unsigned char *bytes = fuzz_h5_edit(good, length, data, size, &edited);
    if (!bytes)
        return 0;
    lmb_context *context = fuzz_context(0);
    lmb_body_data *body = NULL;
    lmb_status status = lmb_body_read(&body, context, fuzz_disk_file("body.h5", bytes, edited));
    free(bytes);
    lmb_body_free(body);
    fuzz_end(context, status);
    return 0;
}
