/* Texts and skins of a result file. */
#include "run/description.h"

#include <stdlib.h>

#include "run/run.h"
#include "scene/geometry.h"
#include "scene/skin.h"

/* What the file says about the run. */
static lmb_status write_texts(lmb_writer *writer, lmb_context *context, lmb_arena *arena,
                              const lmb_model *m, const char *analyses)
{
    const char *parameters = lmb_parameter_text(arena, m);
    const char *flexible = lmb_flexible_text(arena, m);
    lmb_geometry geometry;
    char *drawn = lmb_geometry_of(&geometry, arena, m) ? lmb_geometry_text(&geometry) : NULL;
    lmb_status status = parameters && flexible && drawn ? LMB_OK : lmb_fail_memory(context);
    const char *const texts[][2] = {{"model", m->text},         {"file", m->file},
                                    {"title", m->title},        {"geometry", drawn},
                                    {"parameters", parameters}, {"flexible", flexible},
                                    {"analyses", analyses}};
    for (size_t i = 0; i < sizeof texts / sizeof *texts && !status; i++)
        status = lmb_writer_text(writer, context, texts[i][0], texts[i][1]);
    free(drawn);
    return status;
}

/* What is drawn of the flexible bodies. */
static lmb_status write_skins(lmb_writer *writer, lmb_context *context, const lmb_model *m)
{
    lmb_status status = LMB_OK;
    for (int i = 0; i < m->body_count && !status; i++) {
        lmb_skin skin;
        const char *name = m->bodies[i].name;
        const lmb_body_data *data = lmb_body_data_of(&m->bodies[i]);
        const lmb_exact_beam *line = lmb_body_line(&m->bodies[i]);
        if (!data && !line)
            continue;
        lmb_arena *room = lmb_arena_new();
        status = !room  ? lmb_fail_memory(context)
                 : line ? lmb_skin_of_line(&skin, room, context, name, line)
                        : lmb_skin_of(&skin, room, context, data, false);
        skin.name = name;
        if (!status && skin.node_count > 0)
            status = lmb_writer_skin(writer, context, &skin);
        lmb_arena_free(room);
    }
    return status;
}

lmb_status lmb_write_description(lmb_writer *writer, lmb_context *context, lmb_arena *arena,
                                 const lmb_model *model, const char *analyses)
{
    lmb_status status = write_texts(writer, context, arena, model, analyses);
    return status ? status : write_skins(writer, context, model);
}
