/* Skins of flexible bodies: from a reduced body, into a result file and out of it. */
#include "scene/skin.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "fe/beam.h"
#include "scene/skin_beams.h"

enum { MOST_NODES = 1 << 26, MOST_MODES = 1 << 16 };

/* --- from a reduced body ---------------------------------------------------------------------- */

/* Numbers the nodes of triangles and of the lines that are drawn as such; place[node] is -1 for the
 * others. */
static int number_nodes(const lmb_body_data *b, const lmb_prisms *prisms, int *place)
{
    int count = 0;
    for (int i = 0; i < b->reduced->node_count; i++)
        place[i] = -1;
    for (int i = 0; i < 3 * b->triangle_count; i++)
        place[b->triangles[i]] = 0;
    for (int i = 0; i < 2 * b->line_count; i++)
        if (!prisms->drawn[i / 2])
            place[b->lines[i]] = 0;
    for (int i = 0; i < b->reduced->node_count; i++)
        if (place[i] == 0)
            place[i] = count++;
    return count;
}

static void copy_vectors(const lmb_body_data *b, const int *place, lmb_skin *out)
{
    const lmb_reduced *r = b->reduced;
    size_t all = (size_t)r->node_count, n = (size_t)out->node_count;
    for (size_t i = 0; i < all; i++) {
        if (place[i] < 0)
            continue;
        size_t to = (size_t)place[i];
        out->nodes[3 * to] = (float)r->x[i].x;
        out->nodes[3 * to + 1] = (float)r->x[i].y;
        out->nodes[3 * to + 2] = (float)r->x[i].z;
        for (size_t mode = 0; mode < (size_t)r->mode_count; mode++)
            for (size_t k = 0; k < 3; k++)
                out->shapes[(mode * n + to) * 3 + k] = (float)r->shape[(mode * all + i) * 3 + k];
    }
}

static void copy_stresses(const lmb_body_data *b, const int *place, lmb_skin *out)
{
    size_t n = (size_t)out->node_count, own = (size_t)b->stress_count;
    for (size_t i = 0; i < own; i++) {
        int to = place[b->stress_node[i]];
        for (size_t mode = 0; to >= 0 && mode < (size_t)b->reduced->mode_count; mode++)
            for (size_t k = 0; k < LMB_SKIN_STRESSES; k++)
                out->stresses[(mode * n + (size_t)to) * LMB_SKIN_STRESSES + k] =
                    (float)b->stress[(mode * own + i) * LMB_SKIN_STRESSES + k];
    }
}

/* The columns of the basis behind the modes, with the frequencies of those that vibrate. */
static void copy_basis(const lmb_body_data *b, const int *place, lmb_skin *out)
{
    const lmb_reduced *r = b->reduced;
    size_t modes = (size_t)r->mode_count, columns = (size_t)r->basis_count;
    size_t n = (size_t)out->node_count, drawn = (size_t)r->drawn_count;
    for (size_t k = 0; k < columns; k++)
        for (size_t i = 0; i < drawn; i++) {
            if (place[r->drawn[i]] < 0)
                continue;
            size_t to = (modes + k) * n + (size_t)place[r->drawn[i]];
            memcpy(out->shapes + 3 * to, r->basis_shape + 3 * (k * drawn + i), 3 * sizeof(float));
            if (out->stresses && b->basis_mises)
                out->stresses[LMB_SKIN_STRESSES * to] = b->basis_mises[k * drawn + i];
        }
    memcpy(out->frequency + modes + columns - (size_t)r->fixed_count, r->fixed_frequency,
           (size_t)r->fixed_count * sizeof(double));
}

/* Makes room for the numbers of a skin whose counts are known. */
static bool allocate(lmb_skin *s, lmb_arena *arena, bool stresses)
{
    size_t n = (size_t)s->node_count, modes = (size_t)s->mode_count;
    size_t columns = modes + (size_t)s->acceleration_count;
    s->nodes = lmb_arena_alloc(arena, 3 * n + 1, sizeof *s->nodes);
    s->triangles = lmb_arena_alloc(arena, 3 * (size_t)s->triangle_count + 1, sizeof(int));
    s->lines = lmb_arena_alloc(arena, 2 * (size_t)s->line_count + 1, sizeof(int));
    s->frequency = lmb_arena_alloc(arena, modes + 1, sizeof *s->frequency);
    s->shapes = lmb_arena_alloc(arena, 3 * n * modes + 1, sizeof *s->shapes);
    s->stresses = NULL;
    if (stresses)
        s->stresses =
            lmb_arena_alloc(arena, LMB_SKIN_STRESSES * n * columns + 1, sizeof *s->stresses);
    return s->nodes && s->triangles && s->lines && s->frequency && s->shapes &&
           (!stresses || s->stresses);
}

/* Everything of a skin whose counts are known and that has room; `place` are the numbers of nodes
 * that are not on prisms. */
static void fill(lmb_skin *out, const lmb_body_data *b, const lmb_prisms *prisms, const int *place)
{
    const lmb_reduced *r = b->reduced;
    for (int i = 0; i < 3 * b->triangle_count; i++)
        out->triangles[i] = place[b->triangles[i]];
    for (int i = 0, to = 0; i < 2 * b->line_count; i++)
        if (!prisms->drawn[i / 2])
            out->lines[to++] = place[b->lines[i]];
    memcpy(out->frequency, r->frequency, (size_t)r->mode_count * sizeof(double));
    copy_vectors(b, place, out);
    if (out->stresses)
        copy_stresses(b, place, out);
    if (out->mode_count > r->mode_count)
        copy_basis(b, place, out);
    lmb_prisms_copy(prisms, b, out);
}

static lmb_status make_skin(lmb_skin *out, lmb_arena *arena, lmb_context *context,
                            const lmb_body_data *b, int basis)
{
    lmb_prisms prisms;
    lmb_status status = lmb_prisms_of(&prisms, arena, context, b);
    if (status)
        return status;
    int *place = malloc(((size_t)b->reduced->node_count + 1) * sizeof *place);
    *out = (lmb_skin){.name = lmb_text_copy(arena, b->name, strlen(b->name)),
                      .triangle_count = b->triangle_count + prisms.triangle_count,
                      .line_count = b->line_count,
                      .mode_count = b->reduced->mode_count + basis};
    for (int i = 0; i < b->line_count; i++)
        out->line_count -= prisms.drawn[i];
    if (prisms.fibre_count > 0 && !basis) /* a body file has no motion */
        out->acceleration_count = LMB_CARRIED + out->mode_count;
    if (place)
        out->node_count = number_nodes(b, &prisms, place) + prisms.fibre_count;
    bool done =
        place && out->name && allocate(out, arena, b->stress_count > 0 || prisms.fibre_count > 0);
    if (done)
        fill(out, b, &prisms, place);
    free(place);
    return done ? LMB_OK : lmb_fail_memory(context);
}

lmb_status lmb_skin_of(lmb_skin *out, lmb_arena *arena, lmb_context *context,
                       const lmb_body_data *b)
{
    return make_skin(out, arena, context, b, 0);
}

lmb_status lmb_skin_with_basis(lmb_skin *out, lmb_arena *arena, lmb_context *context,
                               const lmb_body_data *b)
{
    return make_skin(out, arena, context, b, b->reduced->basis_count);
}

/* --- into a file ------------------------------------------------------------------------------ */

static bool put_array(hid_t group, const char *name, hid_t stored, hid_t type, const void *data,
                      int rank, const hsize_t *dims)
{
    for (int i = 0; i < rank; i++)
        if (dims[i] == 0)
            return true;
    hid_t space = H5Screate_simple(rank, dims, NULL);
    hid_t set = H5Dcreate2(group, name, stored, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    bool done = set >= 0 && H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data) >= 0;
    if (set >= 0)
        H5Dclose(set);
    H5Sclose(space);
    return done;
}

static bool put_floats(hid_t group, const char *name, const float *data, int rank, size_t a,
                       size_t b, size_t c)
{
    const hsize_t dims[3] = {a, b, c};
    return put_array(group, name, H5T_IEEE_F32LE, H5T_NATIVE_FLOAT, data, rank, dims);
}

static bool put_integers(hid_t group, const char *name, const int *data, size_t a, size_t b)
{
    const hsize_t dims[2] = {a, b};
    return put_array(group, name, H5T_STD_I32LE, H5T_NATIVE_INT, data, 2, dims);
}

static hid_t open_group(hid_t parent, const char *name)
{
    return H5Lexists(parent, name, H5P_DEFAULT) > 0
               ? H5Gopen2(parent, name, H5P_DEFAULT)
               : H5Gcreate2(parent, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
}

static bool write_members(hid_t group, const lmb_skin *s)
{
    size_t n = (size_t)s->node_count, modes = (size_t)s->mode_count;
    const hsize_t frequencies[1] = {modes};
    return put_floats(group, "nodes", s->nodes, 2, n, 3, 0) &&
           put_integers(group, "triangles", s->triangles, (size_t)s->triangle_count, 3) &&
           put_integers(group, "lines", s->lines, (size_t)s->line_count, 2) &&
           put_array(group, "frequency", H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, s->frequency, 1,
                     frequencies) &&
           put_floats(group, "shapes", s->shapes, 3, modes, n, 3) &&
           (!s->stresses ||
            put_floats(group, "stresses", s->stresses, 3, modes + (size_t)s->acceleration_count, n,
                       LMB_SKIN_STRESSES));
}

bool lmb_skin_write(hid_t file, const lmb_skin *skin)
{
    hid_t model = open_group(file, "model");
    hid_t skins = model >= 0 ? open_group(model, "skins") : H5I_INVALID_HID;
    hid_t group = skins >= 0 ? open_group(skins, skin->name) : H5I_INVALID_HID;
    bool done = group >= 0 && write_members(group, skin);
    if (group >= 0)
        H5Gclose(group);
    if (skins >= 0)
        H5Gclose(skins);
    if (model >= 0)
        H5Gclose(model);
    return done;
}

/* --- out of a file ---------------------------------------------------------------------------- */

/* The dimensions of a data set; those that there are not stay 0. */
static bool shape_of(hid_t group, const char *name, int rank, hsize_t *dims)
{
    for (int i = 0; i < rank; i++)
        dims[i] = 0;
    if (H5Lexists(group, name, H5P_DEFAULT) <= 0)
        return true;
    hid_t set = H5Dopen2(group, name, H5P_DEFAULT);
    hid_t space = H5Dget_space(set);
    bool done = H5Sget_simple_extent_ndims(space) == rank &&
                H5Sget_simple_extent_dims(space, dims, NULL) == rank;
    H5Sclose(space);
    H5Dclose(set);
    return done;
}

static bool get_array(hid_t group, const char *name, hid_t type, size_t count, void *data)
{
    if (count == 0)
        return true;
    hid_t set = H5Dopen2(group, name, H5P_DEFAULT);
    bool done = set >= 0 && H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data) >= 0;
    H5Dclose(set);
    return done;
}

/* Numbers of nodes must be those of nodes that there are. */
static bool in_range(const int *nodes, size_t count, int most)
{
    for (size_t i = 0; i < count; i++)
        if (nodes[i] < 0 || nodes[i] >= most)
            return false;
    return true;
}

static bool counts_of(hid_t group, lmb_skin *s, bool *stresses)
{
    hsize_t nodes[2], triangles[2], lines[2], shapes[3], stress[3];
    bool done = shape_of(group, "nodes", 2, nodes) && shape_of(group, "triangles", 2, triangles) &&
                shape_of(group, "lines", 2, lines) && shape_of(group, "shapes", 3, shapes) &&
                shape_of(group, "stresses", 3, stress);
    if (!done || nodes[0] > MOST_NODES || triangles[0] > MOST_NODES || lines[0] > MOST_NODES ||
        shapes[0] > MOST_MODES || (nodes[0] && nodes[1] != 3) ||
        (triangles[0] && triangles[1] != 3) || (lines[0] && lines[1] != 2) ||
        (shapes[0] && (shapes[1] != nodes[0] || shapes[2] != 3)) ||
        (stress[0] && (stress[0] < shapes[0] || stress[0] > MOST_MODES || stress[1] != nodes[0] ||
                       stress[2] != LMB_SKIN_STRESSES)))
        return false;
    s->node_count = (int)nodes[0];
    s->triangle_count = (int)triangles[0];
    s->line_count = (int)lines[0];
    s->mode_count = (int)shapes[0];
    s->acceleration_count = stress[0] > 0 ? (int)(stress[0] - shapes[0]) : 0;
    *stresses = stress[0] > 0;
    return true;
}

static bool read_skin(hid_t group, lmb_skin *s, lmb_arena *arena, bool *memory)
{
    bool stresses;
    hsize_t frequencies[1];
    if (!counts_of(group, s, &stresses))
        return false;
    *memory = !allocate(s, arena, stresses);
    size_t n = (size_t)s->node_count, modes = (size_t)s->mode_count;
    size_t columns = modes + (size_t)s->acceleration_count;
    size_t corners = 3 * (size_t)s->triangle_count, ends = 2 * (size_t)s->line_count;
    return !*memory && shape_of(group, "frequency", 1, frequencies) && frequencies[0] == modes &&
           get_array(group, "nodes", H5T_NATIVE_FLOAT, 3 * n, s->nodes) &&
           get_array(group, "triangles", H5T_NATIVE_INT, corners, s->triangles) &&
           get_array(group, "lines", H5T_NATIVE_INT, ends, s->lines) &&
           get_array(group, "frequency", H5T_NATIVE_DOUBLE, modes, s->frequency) &&
           get_array(group, "shapes", H5T_NATIVE_FLOAT, 3 * n * modes, s->shapes) &&
           (!stresses || get_array(group, "stresses", H5T_NATIVE_FLOAT,
                                   LMB_SKIN_STRESSES * n * columns, s->stresses)) &&
           in_range(s->triangles, corners, s->node_count) &&
           in_range(s->lines, ends, s->node_count);
}

typedef struct visit {
    lmb_arena *arena;
    lmb_skin *list;
    int count;
    bool memory;
} visit;

static herr_t look_at(hid_t skins, const char *name, const H5L_info_t *info, void *user)
{
    (void)info;
    visit *v = user;
    hid_t group = H5Gopen2(skins, name, H5P_DEFAULT);
    lmb_skin skin = {.name = lmb_text_copy(v->arena, name, strlen(name))};
    bool done = group >= 0 && skin.name && read_skin(group, &skin, v->arena, &v->memory);
    H5Gclose(group);
    lmb_skin *grown = done ? lmb_arena_grow(v->arena, v->list, (size_t)v->count,
                                            (size_t)v->count + 1, sizeof *grown)
                           : NULL;
    v->memory = v->memory || !skin.name || (done && !grown);
    if (!grown)
        return -1;
    v->list = grown;
    v->list[v->count++] = skin;
    return 0;
}

lmb_status lmb_skins_read(lmb_skin **out, int *count, lmb_arena *arena, lmb_context *context,
                          hid_t file, const char *path)
{
    visit v = {.arena = arena};
    bool done = true;
    H5E_BEGIN_TRY
    {
        hid_t group = H5Gopen2(file, "model/skins", H5P_DEFAULT);
        if (group >= 0)
            done = H5Literate(group, H5_INDEX_NAME, H5_ITER_NATIVE, NULL, look_at, &v) >= 0;
        H5Gclose(group);
    }
    H5E_END_TRY;
    if (v.memory)
        return lmb_fail_memory(context);
    if (!done)
        return lmb_fail(context, LMB_BAD_INPUT, "the flexible bodies in '%s' are damaged", path);
    *out = v.list;
    *count = v.count;
    return LMB_OK;
}
