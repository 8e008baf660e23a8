/* Find the mesh of a body of a result: read the text of the model again with the parameters of the
 * run, then the files that it names. */
#include <string.h>
#include <unistd.h>

#include "base/message.h"
#include "base/text.h"
#include "export/load_cases.h"
#include "import/mesh_read.h"
#include "model/flexible_part.h"
#include "read/reader.h"
#include "result/read.h"
#include "store/body_file.h"

/* State while a body is read */
typedef struct reading {
    lmb_context *context;
    lmb_result *result;
    const lmb_load_cases *cases;
    lmb_load_body *b;
} reading;

/* --- the model -------------------------------------------------------------------------------- */

/* Return the path of the model file: as given to the run, or else beside the result. */
static const char *find_model(const reading *r)
{
    const char *file = lmb_result_text(r->result, "file"), *result = lmb_result_path(r->result);
    const char *slash = strrchr(result, '/');
    if (!file || file[0] == '/' || !slash || access(file, R_OK) == 0)
        return file ? file : "model";
    const char *beside =
        lmb_text_format(r->b->arena, "%.*s/%s", (int)(slash - result), result, file);
    return beside && access(beside, R_OK) == 0 ? beside : file;
}

/* Set the parameters to their values in the run, except tables, whose data are in the text of the
 * model. */
static lmb_status set_parameters(const reading *r, lmb_spec *spec)
{
    const char *text = lmb_result_text(r->result, "parameters");
    lmb_status status = LMB_OK;
    for (const char *line = text ? text : ""; *line && !status;) {
        size_t length = strcspn(line, "\n");
        const char *equals = strstr(line, " = ");
        if (equals && equals < line + length && strncmp(equals, " = table ", 9) != 0) {
            const char *name = lmb_text_copy(r->b->arena, line, (size_t)(equals - line));
            const char *value =
                lmb_text_copy(r->b->arena, equals + 3, (size_t)(line + length - equals - 3));
            status = name && value ? lmb_spec_set(spec, r->context, name, value)
                                   : lmb_fail_memory(r->context);
        }
        line += length + (line[length] == '\n');
    }
    return status;
}

/* Fail if the nodes do not come from a file: other programs do not know such nodes. */
static lmb_status check_source(const reading *r, const lmb_flexible_part *p)
{
    bool geometry = p->source == LMB_PART_MESH && lmb_is_geometry(p->files[0]);
    if (p->source == LMB_PART_MATRICES || (p->source == LMB_PART_MESH && !geometry))
        return LMB_OK;
    lmb_fail(r->context, LMB_BAD_INPUT,
             geometry ? "the nodes of body '%s' are not in a file: gmsh has meshed its geometry"
                      : "body '%s' does not come from a mesh file, so that a finite element "
                        "program does not know its nodes",
             r->cases->body);
    return lmb_hint(r->context, geometry ? "mesh the geometry with gmsh and give the mesh file"
                                         : "export its loads to a .csv file");
}

/* Fail if the files changed since the run. */
static lmb_status check_files(const reading *r, lmb_flexible_part *p)
{
    lmb_status status = lmb_part_sum(p, r->context);
    if (status)
        return status;
    if (r->cases->checksum && strcmp(r->cases->checksum, p->checksum) == 0)
        return LMB_OK;
    lmb_fail(r->context, LMB_BAD_INPUT, "the files of body '%s' have changed since the run: '%s'",
             r->cases->body, p->files[0]);
    return lmb_hint(r->context, "run the model again");
}

/* --- couplings -------------------------------------------------------------------------------- */

/* Return BODY_POINT in capital letters, digits and '_'. */
static const char *label_of(const reading *r, const char *point)
{
    char *name = lmb_text_format(r->b->arena, "%s_%s", r->cases->body, point);
    for (char *s = name; s && *s; s++)
        *s = lmb_is_letter_or_digit(*s) ? lmb_to_upper(*s) : '_';
    return name;
}

/* Find the outer faces whose nodes are all tied to a point with `tie: average`. */
static void find_faces(const reading *r, const lmb_surface *surface, bool *tied,
                       lmb_load_coupling *c)
{
    const lmb_mesh *mesh = r->b->mesh;
    for (int i = 0; i < c->of->count; i++)
        tied[c->of->nodes[i]] = true;
    for (int t = 0, end; t < surface->triangle_count; t = end) {
        bool whole = true;
        for (end = t;
             end < surface->triangle_count && surface->element[end] == surface->element[t] &&
             surface->side[end] == surface->side[t];
             end++)
            for (int k = 0; k < 3; k++)
                whole = whole && tied[surface->triangles[end][k]];
        if (!whole)
            continue;
        c->faces[c->face_count][0] = mesh->elements[surface->element[t]].number;
        c->faces[c->face_count++][1] = surface->side[t];
    }
    for (int i = 0; i < c->of->count; i++)
        tied[c->of->nodes[i]] = false;
}

static lmb_status couple(const reading *r, const lmb_flexible_part *p, int largest)
{
    lmb_load_body *b = r->b;
    lmb_surface surface = {0}; /* found for the first average */
    bool *tied = lmb_arena_alloc(b->arena, (size_t)b->mesh->node_count + 1, sizeof *tied);
    b->couplings = lmb_arena_alloc(b->arena, (size_t)p->interface_count + 1, sizeof *b->couplings);
    lmb_status status = lmb_check_memory(r->context, b->arena);
    for (int i = 0; i < p->interface_count && !status; i++) {
        lmb_load_coupling *c = &b->couplings[b->coupling_count++];
        bool node = p->points[i].tie == LMB_TIE_NODE;
        *c = (lmb_load_coupling){.name = label_of(r, p->points[i].name),
                                 .of = &p->points[i],
                                 .reference =
                                     node ? b->mesh->number[p->points[i].nodes[0]] : ++largest};
        if (!c->name)
            return lmb_fail_memory(r->context);
        if (p->points[i].tie != LMB_TIE_AVERAGE)
            continue;
        if (!surface.triangles)
            status = lmb_surface_of(&surface, b->arena, r->context, b->mesh);
        c->faces = lmb_arena_alloc(b->arena, (size_t)surface.triangle_count + 1, sizeof *c->faces);
        if (!status && !(status = lmb_check_memory(r->context, b->arena)))
            find_faces(r, &surface, tied, c);
    }
    return status;
}

/* Choose supports on nodes of solids that belong to no interface point. */
static lmb_status support(const reading *r)
{
    lmb_load_body *b = r->b;
    const lmb_mesh *mesh = b->mesh;
    bool *wanted = lmb_arena_alloc(b->arena, (size_t)mesh->node_count + 1, sizeof *wanted);
    if (!wanted)
        return lmb_fail_memory(r->context);
    for (int i = 0; i < mesh->element_count; i++) {
        const lmb_element *e = &mesh->elements[i];
        for (int k = 0; k < lmb_element_nodes(e->kind); k++)
            if (e->kind != LMB_POINT_MASS)
                wanted[mesh->connections[e->first + k]] = true;
    }
    for (int i = 0; i < b->coupling_count; i++)
        for (int k = 0; k < b->couplings[i].of->count; k++)
            wanted[b->couplings[i].of->nodes[k]] = false;
    if (lmb_supports_choose(b->supports, mesh, wanted))
        return LMB_OK;
    return lmb_fail(r->context, LMB_BAD_INPUT,
                    "the nodes of body '%s' outside its interface points lie on one line or are "
                    "too few to hold it",
                    r->cases->body);
}

/* Compute the share of each node in a force on each patch. */
static lmb_status share_patches(const reading *r, const lmb_flexible_part *p)
{
    lmb_load_body *b = r->b;
    size_t nodes = (size_t)b->mesh->node_count, patches = (size_t)r->cases->patch_count;
    lmb_status status = LMB_OK;
    b->shares = lmb_arena_alloc(b->arena, nodes * patches + 1, sizeof *b->shares);
    if (!b->shares)
        return lmb_fail_memory(r->context);
    for (size_t i = 0; i < patches && !status; i++)
        status = p->reduction.share_patch(p->reduction.patches, r->context, b->data, (int)i,
                                          b->shares + i * nodes);
    return status;
}

/* --- all together ----------------------------------------------------------------------------- */

/* Copy the pointers to the mesh, then find couplings and supports. */
static lmb_status take_mesh(const reading *r, lmb_flexible_part *p)
{
    lmb_load_body *b = r->b;
    lmb_status status;
    b->mesh = p->mesh;
    b->source = lmb_file_name(p->files[p->source == LMB_PART_MESH ? 0 : LMB_PART_NODES]);
    b->units = p->units;
    b->masses = (lmb_masses){b->mesh, lmb_element_tables_new(b->arena), p->model};
    if (!b->mesh || !b->mesh->element_count)
        return lmb_fail_hint(r->context, "export its loads to a .csv file",
                             "the files of body '%s' have no elements", r->cases->body);
    int largest = 0;
    for (int i = 0; i < b->mesh->node_count; i++)
        largest = b->mesh->number[i] > largest ? b->mesh->number[i] : largest;
    for (int i = 0; i < b->mesh->element_count; i++)
        if (b->mesh->elements[i].number >= b->next_element)
            b->next_element = b->mesh->elements[i].number + 1;
    if ((status = couple(r, p, largest)) || (status = share_patches(r, p)) || (status = support(r)))
        return status;
    return lmb_check_memory(r->context, b->arena);
}

/* Read the modes (from the cache, or reduce again) and the mesh. Drop the warnings: the run has
 * given them. */
static lmb_status read_files(const reading *r, lmb_flexible_part *p)
{
    lmb_load_body *b = r->b;
    size_t from = lmb_message_count(r->context);
    bool cached;
    p->shapes_only = true;
    lmb_status status = lmb_part_reduce(p, r->context, b->spec->file, true, &b->data, &cached);
    if (!status)
        status = lmb_part_read_mesh(p, r->context);
    if (status)
        return status;
    lmb_messages_drop(r->context, from, lmb_message_count(r->context) - from);
    if (!r->cases->modes || r->cases->mode_count == b->data->reduced->mode_count)
        return LMB_OK;
    return lmb_fail_hint(r->context, "run the model again",
                         "body '%s' has %d modes, but %d in the result", r->cases->body,
                         b->data->reduced->mode_count, r->cases->mode_count);
}

/* Read the flexible bodies of the model. Their files are found relative to the model file. */
static lmb_status read_parts(const reading *r, const char *file)
{
    lmb_status status = lmb_flexible_parts_read(&r->b->parts, r->context, r->b->spec);
    if (status && access(file, R_OK) != 0)
        lmb_hint(r->context,
                 "the model file '%s' was not found: call `limber export` in the folder in which "
                 "`limber "
                 "run` was called",
                 file);
    return status;
}

static lmb_status read_body(const reading *r)
{
    lmb_load_body *b = r->b;
    lmb_flexible_part *part;
    const char *text = lmb_result_text(r->result, "model"), *file = find_model(r);
    if (!text || !file)
        return lmb_fail(r->context, LMB_BAD_INPUT, "the result '%s' contains no model text",
                        lmb_result_path(r->result));
    lmb_status status = lmb_spec_parse(&b->spec, r->context, file, text);
    if (status || (status = set_parameters(r, b->spec)) || (status = read_parts(r, file)) ||
        (status = lmb_flexible_part_find(b->parts, r->context, r->cases->body, &part)) ||
        (status = check_source(r, part)) || (status = check_files(r, part)) ||
        (status = read_files(r, part)))
        return status;
    return take_mesh(r, part);
}

lmb_status lmb_load_body_read(lmb_load_body **out, lmb_context *context, lmb_result *result,
                              const lmb_load_cases *cases)
{
    lmb_arena *arena;
    lmb_load_body *b = lmb_arena_object(&arena, sizeof *b);
    *out = NULL;
    if (!b)
        return lmb_fail_memory(context);
    *b = (lmb_load_body){.arena = arena, .next_element = 1};
    lmb_status status = read_body(&(reading){context, result, cases, b});
    if (status)
        lmb_load_body_free(b);
    else
        *out = b;
    return status;
}

void lmb_load_body_free(lmb_load_body *b)
{
    if (!b)
        return;
    lmb_flexible_parts_free(b->parts);
    lmb_body_free(b->data);
    lmb_spec_free(b->spec);
    lmb_arena_free(b->arena);
}
