/* Skins of flexible bodies: from a reduced body, into a result file and out of it, and with fewer
 * nodes for drawing. */
#include "scene/skin.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "fe/beam.h"
#include "scene/skin_beams.h"
#include "store/h5.h"

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

static int by_number(const void *a, const void *b)
{
    int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

/* The motion of the end of an arm: u + theta x arm. */
static void put_moved(const double *u, const double *theta, vec3 arm, float *out)
{
    vec3 turned = theta ? v3_cross(v3(theta[0], theta[1], theta[2]), arm) : v3(0, 0, 0);
    for (int k = 0; k < 3; k++)
        out[k] = (float)(u[k] + v3_get(turned, k));
}

void lmb_skin_carry(lmb_skin *out, const lmb_reduced *r, int node, vec3 arm, size_t to)
{
    size_t n = (size_t)out->node_count, nodes = (size_t)r->node_count;
    size_t modes = (size_t)r->mode_count, basis = (size_t)out->mode_count - modes;
    size_t drawn = (size_t)r->drawn_count;
    vec3 place = v3_add(r->x[node], arm);
    put_moved(&place.x, NULL, arm, out->nodes + 3 * to);
    for (size_t k = 0; k < modes; k++) {
        size_t at = 3 * (k * nodes + (size_t)node);
        put_moved(r->shape + at, r->turn ? r->turn + at : NULL, arm,
                  out->shapes + 3 * (k * n + to));
    }
    const int *found = basis ? bsearch(&node, r->drawn, drawn, sizeof node, by_number) : NULL;
    for (size_t k = 0; found && k < basis; k++) {
        size_t at = 3 * (k * drawn + (size_t)(found - r->drawn));
        const float *u = r->basis_shape + at, *t = r->basis_turn ? r->basis_turn + at : NULL;
        const double moved[3] = {u[0], u[1], u[2]};
        const double turn[3] = {t ? t[0] : 0, t ? t[1] : 0, t ? t[2] : 0};
        put_moved(moved, turn, arm, out->shapes + 3 * ((modes + k) * n + to));
    }
}

/* Copy the stresses of the modes and, unless columns of the basis follow, of the unit loads. */
static void copy_stresses(const lmb_body_data *b, const int *place, lmb_skin *out)
{
    size_t n = (size_t)out->node_count, own = (size_t)b->stress_count;
    size_t columns =
        out->further_count ? (size_t)lmb_stress_columns(b) : (size_t)b->reduced->mode_count;
    for (size_t i = 0; i < own; i++) {
        int to = place[b->stress_node[i]];
        for (size_t j = 0; to >= 0 && j < columns; j++)
            for (size_t k = 0; k < LMB_SKIN_STRESSES; k++)
                out->stresses[(j * n + (size_t)to) * LMB_SKIN_STRESSES + k] =
                    (float)b->stress[(j * own + i) * LMB_SKIN_STRESSES + k];
    }
}

/* Stresses of the columns of the basis behind the modes, and the frequencies of those that vibrate.
 */
static void copy_basis(const lmb_body_data *b, const int *place, lmb_skin *out)
{
    const lmb_reduced *r = b->reduced;
    size_t modes = (size_t)r->mode_count, columns = (size_t)r->basis_count;
    size_t n = (size_t)out->node_count, drawn = (size_t)r->drawn_count;
    for (size_t k = 0; out->stresses && b->basis_mises && k < columns; k++)
        for (size_t i = 0; i < drawn; i++)
            if (place[r->drawn[i]] >= 0)
                out->stresses[LMB_SKIN_STRESSES * ((modes + k) * n + (size_t)place[r->drawn[i]])] =
                    b->basis_mises[k * drawn + i];
    memcpy(out->frequency + modes + columns - (size_t)r->fixed_count, r->fixed_frequency,
           (size_t)r->fixed_count * sizeof(double));
}

bool lmb_skin_allocate(lmb_skin *s, lmb_arena *arena, bool stresses)
{
    size_t n = (size_t)s->node_count, modes = (size_t)s->mode_count;
    size_t columns = modes + (size_t)s->further_count;
    s->nodes = lmb_arena_alloc(arena, 3 * n + 1, sizeof *s->nodes);
    s->triangles = lmb_arena_alloc(arena, 3 * (size_t)s->triangle_count + 1, sizeof(int));
    s->lines = lmb_arena_alloc(arena, 2 * (size_t)s->line_count + 1, sizeof(int));
    s->frequency = lmb_arena_alloc(arena, modes + 1, sizeof *s->frequency);
    s->shapes = lmb_arena_alloc(arena, 3 * n * modes + 1, sizeof *s->shapes);
    s->stresses = NULL;
    s->carriers = NULL;
    s->carrier = NULL;
    s->fibres = NULL;
    if (s->carrier_count > 0) {
        size_t carriers = (size_t)s->carrier_count, spans = (size_t)s->span_count;
        s->ends = lmb_arena_integers(arena, 2 * spans + 1);
        s->spans = lmb_arena_alloc(arena, LMB_SPAN_NUMBERS * spans + 1, sizeof(float));
        s->span = lmb_arena_integers(arena, carriers);
        s->along = lmb_arena_alloc(arena, carriers, sizeof(float));
        s->carriers = lmb_arena_alloc(arena, LMB_CARRIER_NUMBERS * carriers, sizeof(float));
        s->carrier = lmb_arena_integers(arena, n + 1);
        if (stresses)
            s->fibres = lmb_arena_alloc(arena, LMB_FIBRE_NUMBERS * n + 1, sizeof *s->fibres);
    } else if (stresses)
        s->stresses =
            lmb_arena_alloc(arena, LMB_SKIN_STRESSES * n * columns + 1, sizeof *s->stresses);
    return lmb_arena_fine(arena);
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
    for (int i = 0; i < r->node_count; i++)
        if (place[i] >= 0)
            lmb_skin_carry(out, r, i, v3(0, 0, 0), (size_t)place[i]);
    if (out->stresses)
        copy_stresses(b, place, out);
    if (out->mode_count > r->mode_count)
        copy_basis(b, place, out);
    lmb_prisms_copy(prisms, b, out);
}

lmb_status lmb_skin_of(lmb_skin *out, lmb_arena *arena, lmb_context *context,
                       const lmb_body_data *b, bool with_basis)
{
    lmb_prisms prisms;
    int basis = with_basis ? b->reduced->basis_count : 0;
    lmb_status status = lmb_prisms_of(&prisms, arena, context, b);
    if (status)
        return status;
    int *place = lmb_arena_integers(arena, (size_t)b->reduced->node_count + 1);
    *out = (lmb_skin){.name = lmb_text_copy(arena, b->name, strlen(b->name)),
                      .triangle_count = b->triangle_count + prisms.triangle_count,
                      .line_count = b->line_count,
                      .mode_count = b->reduced->mode_count + basis};
    for (int i = 0; i < b->line_count; i++)
        out->line_count -= prisms.drawn[i];
    if (!basis) /* a body file has no motion */
        out->further_count =
            b->load_count + (prisms.fibre_count > 0 ? LMB_CARRIED + out->mode_count : 0);
    if (place)
        out->node_count = number_nodes(b, &prisms, place) + prisms.fibre_count;
    if (lmb_skin_allocate(out, arena, b->stress_count > 0 || prisms.fibre_count > 0))
        fill(out, b, &prisms, place);
    return lmb_check_memory(context, arena);
}

/* --- files ------------------------------------------------------------------------------------ */

enum {
    NODES,
    TRIANGLES,
    LINES,
    FREQUENCY,
    SHAPES,
    STRESSES,
    CARRIERS, /* these and the following ones are not in all files */
    CARRIER,
    FIBRES,
    ENDS,
    SPANS,
    SPAN,
    ALONG,
    ARRAYS
};

/* The arrays of a skin: where they are and how large its counts make them. */
typedef struct skin_array {
    const char *name;
    lmb_h5_type type;
    int rank;
    size_t dims[3];
    void *data;
} skin_array;

static void arrays_of(const lmb_skin *s, skin_array out[ARRAYS])
{
    size_t n = (size_t)s->node_count, modes = (size_t)s->mode_count;
    size_t columns = s->stresses ? modes + (size_t)s->further_count : 0;
    size_t carriers = (size_t)s->carrier_count, spans = (size_t)s->span_count;
    const skin_array arrays[ARRAYS] = {
        {"nodes", LMB_H5_FLOAT, 2, {n, 3}, s->nodes},
        {"triangles", LMB_H5_INT, 2, {(size_t)s->triangle_count, 3}, s->triangles},
        {"lines", LMB_H5_INT, 2, {(size_t)s->line_count, 2}, s->lines},
        {"frequency", LMB_H5_DOUBLE, 1, {modes}, s->frequency},
        {"shapes", LMB_H5_FLOAT, 3, {modes, n, 3}, s->shapes},
        {"stresses", LMB_H5_FLOAT, 3, {columns, n, LMB_SKIN_STRESSES}, s->stresses},
        {"carriers", LMB_H5_FLOAT, 2, {carriers, LMB_CARRIER_NUMBERS}, s->carriers},
        {"carrier", LMB_H5_INT, 1, {carriers ? n : 0}, s->carrier},
        {"fibres", LMB_H5_FLOAT, 2, {s->fibres ? n : 0, LMB_FIBRE_NUMBERS}, s->fibres},
        {"ends", LMB_H5_INT, 2, {spans, 2}, s->ends},
        {"spans", LMB_H5_FLOAT, 2, {spans, LMB_SPAN_NUMBERS}, s->spans},
        {"span", LMB_H5_INT, 1, {carriers}, s->span},
        {"along", LMB_H5_FLOAT, 1, {carriers}, s->along},
    };
    memcpy(out, arrays, sizeof arrays);
}

bool lmb_skin_write(hid_t file, const lmb_skin *skin)
{
    skin_array arrays[ARRAYS];
    char path[512];
    bool done = true;
    arrays_of(skin, arrays);
    int count = skin->carrier_count > 0 ? ARRAYS : CARRIERS;
    for (const skin_array *a = arrays; done && a < arrays + count; a++) {
        lmb_snprintf(path, sizeof path, "model/skins/%s/%s", skin->name, a->name);
        done = lmb_h5_write(file, path, a->type, a->rank, a->dims, a->data);
    }
    return done;
}

static bool counts_of(hid_t group, lmb_skin *s, bool *stresses)
{
    skin_array arrays[ARRAYS];
    int count[ARRAYS] = {0};
    bool carried = H5Lexists(group, "carrier", H5P_DEFAULT) > 0;
    arrays_of(s, arrays);
    for (int i = 0; i < (carried ? ARRAYS : CARRIERS); i++) {
        size_t dims[3], most = i < FREQUENCY || i >= CARRIERS ? MOST_NODES : MOST_MODES;
        if (!lmb_h5_dims(group, arrays[i].name, arrays[i].rank, dims) || dims[0] > most)
            return false;
        count[i] = (int)dims[0];
    }
    s->node_count = count[NODES];
    s->triangle_count = count[TRIANGLES];
    s->line_count = count[LINES];
    s->mode_count = count[SHAPES];
    s->carrier_count = count[CARRIERS];
    s->span_count = count[SPANS];
    *stresses = count[STRESSES] > 0 || count[FIBRES] > 0;
    s->further_count = count[STRESSES] > 0 ? count[STRESSES] - count[SHAPES] : 0;
    return s->further_count >= 0;
}

static bool read_skin(hid_t group, lmb_skin *s, lmb_arena *arena)
{
    skin_array arrays[ARRAYS];
    bool stresses, done = counts_of(group, s, &stresses) && lmb_skin_allocate(s, arena, stresses);
    int count = s->carrier_count > 0 ? ARRAYS : CARRIERS;
    arrays_of(s, arrays);
    for (const skin_array *a = arrays; done && a < arrays + count; a++)
        done = lmb_h5_read(group, a->name, a->type, a->rank, a->dims, a->data);
    return done && lmb_body_has_nodes(s->triangles, 3 * (size_t)s->triangle_count, s->node_count) &&
           lmb_body_has_nodes(s->lines, 2 * (size_t)s->line_count, s->node_count) &&
           (!s->carrier ||
            (lmb_body_has_nodes(s->carrier, (size_t)s->node_count, s->carrier_count) &&
             lmb_body_has_nodes(s->span, (size_t)s->carrier_count, s->span_count) &&
             lmb_body_has_nodes(s->ends, 2 * (size_t)s->span_count, s->span_count + 1)));
}

typedef struct visit {
    lmb_arena *arena;
    lmb_skin *list;
    int count;
} visit;

static herr_t look_at(hid_t skins, const char *name, const H5L_info_t *info, void *user)
{
    (void)info;
    visit *v = user;
    size_t old = (size_t)v->count;
    hid_t group = H5Gopen2(skins, name, H5P_DEFAULT);
    v->list = lmb_arena_grow(v->arena, v->list, old, old + 1, sizeof *v->list);
    lmb_skin skin = {.name = lmb_text_copy(v->arena, name, strlen(name))};
    bool done = group >= 0 && read_skin(group, &skin, v->arena) && lmb_arena_fine(v->arena);
    H5Gclose(group);
    if (done)
        v->list[v->count++] = skin;
    return done ? 0 : -1;
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
    if (!lmb_arena_fine(arena))
        return lmb_fail_memory(context);
    if (!done)
        return lmb_fail(context, LMB_BAD_INPUT, "the flexible bodies in '%s' are damaged", path);
    *out = v.list;
    *count = v.count;
    return LMB_OK;
}

/* --- thinning ---------------------------------------------------------------------------------
 *
 * Nodes that are near each other become one. Space is cut into cubes, and of all nodes in a cube
 * the first one stays, with its shapes and stresses; triangles that collapse are left out. The edge
 * of the cubes is the smallest of a growing row with which few enough nodes stay. Lines are kept as
 * they are, with their nodes. */

/* A node and the number of its cube. */
typedef struct placed {
    uint64_t cube;
    int node;
} placed;

static int by_cube(const void *a, const void *b)
{
    const placed *x = a, *y = b;
    if (x->cube != y->cube)
        return x->cube < y->cube ? -1 : 1;
    return (x->node > y->node) - (x->node < y->node);
}

/* Sorts the nodes by cubes of an edge; returns how many cubes have any. */
static int place_nodes(const lmb_skin *s, const float low[3], double edge, placed *list)
{
    enum { BITS = 21 };
    const uint64_t most = ((uint64_t)1 << BITS) - 1;
    int cubes = 0;
    for (int i = 0; i < s->node_count; i++) {
        uint64_t cube = 0;
        for (int k = 0; k < 3; k++) {
            double at = floor((double)(s->nodes[3 * i + k] - low[k]) / edge);
            cube = cube << BITS | (at < (double)most ? (uint64_t)at : most);
        }
        list[i] = (placed){cube, i};
    }
    qsort(list, (size_t)s->node_count, sizeof *list, by_cube);
    for (int i = 0; i < s->node_count; i++)
        cubes += i == 0 || list[i].cube != list[i - 1].cube;
    return cubes;
}

/* For each node the one that stands for it; `list` is sorted by cubes. */
static void choose(const lmb_skin *s, const placed *list, int *stands)
{
    for (int i = 0, first = 0; i < s->node_count; i++) {
        if (list[i].cube != list[first].cube)
            first = i;
        stands[list[i].node] = list[first].node;
    }
    for (int i = 0; i < 2 * s->line_count; i++)
        stands[s->lines[i]] = s->lines[i];
}

/* Copies the rows of the nodes that stay, for each mode. */
static float *copy_rows(lmb_arena *arena, const float *from, int nodes, int kept, const int *place,
                        int modes, int size)
{
    size_t width = (size_t)size;
    float *to = lmb_arena_alloc(arena, (size_t)kept * (size_t)modes * width + 1, sizeof *to);
    for (int m = 0; to && m < modes; m++)
        for (int i = 0; i < nodes; i++)
            if (place[i] >= 0)
                memcpy(to + ((size_t)m * (size_t)kept + (size_t)place[i]) * width,
                       from + ((size_t)m * (size_t)nodes + (size_t)i) * width, width * sizeof *to);
    return to;
}

/* Numbers the nodes that stay and renews all arrays. */
static void renew(lmb_skin *s, lmb_arena *arena, const int *stands, int *place)
{
    int nodes = s->node_count, kept = 0, triangles = 0;
    for (int i = 0; i < nodes; i++)
        place[i] = stands[i] == i ? kept++ : -1;
    for (int i = 0; i < s->triangle_count; i++) {
        int c[3];
        for (int k = 0; k < 3; k++)
            c[k] = place[stands[s->triangles[3 * i + k]]];
        if (c[0] != c[1] && c[1] != c[2] && c[2] != c[0])
            memcpy(s->triangles + 3 * triangles++, c, sizeof c);
    }
    for (int i = 0; i < 2 * s->line_count; i++)
        s->lines[i] = place[s->lines[i]];
    s->nodes = copy_rows(arena, s->nodes, nodes, kept, place, 1, 3);
    s->shapes = copy_rows(arena, s->shapes, nodes, kept, place, s->mode_count, 3);
    if (s->stresses)
        s->stresses = copy_rows(arena, s->stresses, nodes, kept, place,
                                s->mode_count + s->further_count, LMB_SKIN_STRESSES);
    s->node_count = kept;
    s->triangle_count = triangles;
}

lmb_status lmb_skin_thin(lmb_skin *s, lmb_arena *arena, lmb_context *context, int most)
{
    if (s->node_count <= most || s->carrier_count > 0)
        return LMB_OK;
    float low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
    for (int i = 0; i < 3 * s->node_count; i++) {
        low[i % 3] = fminf(low[i % 3], s->nodes[i]);
        high[i % 3] = fmaxf(high[i % 3], s->nodes[i]);
    }
    double size = hypot(hypot((double)(high[0] - low[0]), (double)(high[1] - low[1])),
                        (double)(high[2] - low[2]));
    placed *list = lmb_arena_alloc(arena, (size_t)s->node_count, sizeof *list);
    int *room = lmb_arena_integers(arena, 2 * (size_t)s->node_count);
    if (lmb_arena_fine(arena)) {
        double edge = size / sqrt((double)most) / 4;
        while (size > 0 && place_nodes(s, low, edge, list) > most)
            edge *= 1.15;
        choose(s, list, room);
        renew(s, arena, room, room + s->node_count);
    }
    return lmb_check_memory(context, arena);
}
