/* Histories of derivatives as results: what `limber plot`, `get`, `list` and `export` read. */
#include "result/write.h"
#include "study/gradient.h"

#include <string.h>

#include "base/text.h"

/* The channels of an analysis: the expressions of its objectives, then their derivatives. */
static lmb_channel *list_channels(lmb_arena *arena, const lmb_gradient *g,
                                  const lmb_gradient_history *h)
{
    size_t count = (size_t)h->count * (size_t)(1 + g->parameter_count);
    lmb_channel *channels = lmb_arena_alloc(arena, count, sizeof *channels), *c = channels;
    for (int i = 0; i < h->count && channels; i++)
        *c++ = (lmb_channel){.name = h->names[i],
                             .unit = "",
                             .doc = "The expression of an objective.",
                             .size = 1,
                             .components = ""};
    for (int p = 0; p < g->parameter_count && channels; p++)
        for (int i = 0; i < h->count; i++)
            *c++ = (lmb_channel){
                .name = lmb_text_format(arena, "%s.by.%s", h->names[i], g->parameters[p]),
                .unit = "",
                .doc = "Its derivative by a parameter.",
                .size = 1,
                .components = ""};
    return lmb_arena_fine(arena) ? channels : NULL;
}

static lmb_status write_history(lmb_context *context, lmb_writer *w, lmb_arena *arena,
                                const lmb_gradient *g, const lmb_gradient_history *h)
{
    int count = h->count * (1 + g->parameter_count);
    lmb_channel *channels = list_channels(arena, g, h);
    lmb_status status = channels ? LMB_OK : lmb_fail_memory(context);
    if (!status)
        status = lmb_writer_begin(w, context, h->analysis, "gradient", count, channels);
    if (!status && h->over)
        lmb_writer_over(w, h->over, "", "What the analysis is over.");
    for (int n = 0; n < h->points && !status; n++)
        status = lmb_writer_row(w, context, h->t[n], h->values + (size_t)n * (size_t)count);
    return status ? status : lmb_writer_end(w, context);
}

lmb_status lmb_gradient_write(lmb_context *context, const lmb_gradient *gradient, const char *path)
{
    LMB_REQUIRE(context, gradient, path);
    if (gradient->history_count == 0)
        return lmb_fail(context, LMB_BAD_INPUT, "there is no history of these derivatives to keep");
    lmb_writer *w;
    lmb_arena *arena = lmb_arena_new();
    lmb_status status = arena ? lmb_writer_new(&w, context, path) : lmb_fail_memory(context);
    if (status) {
        lmb_arena_free(arena);
        return status;
    }
    for (int i = 0; i < gradient->history_count && !status; i++)
        status = write_history(context, w, arena, gradient, &gradient->histories[i]);
    if (!status)
        status = lmb_writer_complete(w, context);
    lmb_status closed = lmb_writer_close(w, context);
    lmb_arena_free(arena);
    return status ? status : closed;
}
