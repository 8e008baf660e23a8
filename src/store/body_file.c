/* Writing and reading reduced bodies: the same code goes through all data in both directions, so
 * that they cannot disagree. A file is made in memory and then written as a whole. */
#include "store/body_file.h"

#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "fe/beam.h"
#include "reduction/residual.h"
#include "store/h5.h"

enum { FORMAT = 9, MOST_MODES = 1000000 };

/* One pass over the data of a body. */
typedef struct transfer {
    hid_t file;
    bool write;
    lmb_arena *arena;  /* reading: what comes goes here */
    bool shapes;       /* reading: skip large data except mode shapes */
    uint64_t checksum; /* of all data so far */
    bool failed;
} transfer;

/* --- arrays and texts ------------------------------------------------------------------------- */

/* Writes an array, or reads it into `data`, or into new room if that is NULL; returns it. */
static void *array(transfer *t, const char *path, lmb_h5_type type, int rank, const size_t *dims,
                   void *data)
{
    size_t count = 1, found[3];
    for (int i = 0; i < rank; i++) {
        t->failed = t->failed || (dims[i] > 0 && count > SIZE_MAX / 16 / dims[i]);
        count *= dims[i];
    }
    if (t->failed || (t->write && count == 0))
        return data;
    if (!t->write && count > 0) /* before memory is asked for */
        t->failed = !lmb_h5_dims(t->file, path, rank, found) ||
                    memcmp(found, dims, (size_t)rank * sizeof *dims) != 0;
    if (!t->write && !t->failed && !data) {
        data = lmb_arena_alloc(t->arena, count + 1, lmb_h5_size(type));
        t->failed = !data;
    }
    if (t->failed || count == 0)
        return data;
    t->failed = !(t->write ? lmb_h5_write(t->file, path, type, rank, dims, data)
                           : lmb_h5_read(t->file, path, type, rank, dims, data));
    if (!t->failed)
        t->checksum = lmb_h5_hash(t->checksum, data, count * lmb_h5_size(type));
    return data;
}

static void text(transfer *t, const char *path, const char **data)
{
    if (t->failed)
        return;
    if (t->write)
        t->failed = !lmb_h5_write_text(t->file, path, *data);
    else
        t->failed = !(*data = lmb_h5_read_text(t->arena, t->file, path));
    if (!t->failed)
        t->checksum = lmb_h5_hash(t->checksum, *data, strlen(*data));
}

/* Names, one line each. */
static void names(transfer *t, const char *path, const char ***list, int count)
{
    const char *all = "";
    for (int i = 0; t->write && all && i < count; i++)
        all = lmb_text_format(t->arena, "%s%s\n", all, (*list)[i]);
    t->failed = t->failed || !all;
    text(t, path, &all);
    t->failed = t->failed || (!t->write && (size_t)count > strlen(all));
    if (t->failed || t->write)
        return;
    *list = lmb_arena_alloc(t->arena, (size_t)count + 1, sizeof **list);
    t->failed = !*list;
    for (int i = 0; !t->failed && i < count; i++) {
        size_t length = strcspn(all, "\n");
        t->failed = all[length] != '\n';
        (*list)[i] = lmb_text_copy(t->arena, all, length);
        all += length + 1;
    }
}

/* --- all data of a body ----------------------------------------------------------------------- */

/* Sizes of arrays: those that the file has as its counts, then those that follow from them. */
enum {
    SIZE_DIMENSION,
    SIZE_FIXED,
    SIZE_ALL,
    SIZE_MODES,
    SIZE_DAMPING, /* whether there is any, as below */
    SIZE_POINTS,
    SIZE_NODES,
    SIZE_TURNS,
    SIZE_TRIANGLES,
    SIZE_LINES,
    SIZE_STRESSES,
    SIZE_STIFFENING,
    SIZE_SETS,
    SIZE_SET_NODES,
    SIZE_DRAWN,
    SIZE_BASIS,
    SIZE_LOADS,
    SIZE_PATCHES,
    SIZE_FLEXIBILITY,
    SIZE_SOLIDS,
    SIZE_CORNERS,
    SIZE_TIED,
    SIZE_FREE,
    COUNTS,
    SIZE_GRAM = COUNTS,
    SIZE_COLUMNS,
    SIZE_CARRIED,
    SIZE_STARTS,
    SIZE_TIED_STARTS,
    SIZES
};

/* A member of lmb_body_data or lmb_reduced in the file. */
enum { LARGE = 256 };
typedef struct field {
    const char *path;
    enum { ARRAY, INSIDE, TEXT, NAMES } form; /* INSIDE: the numbers are in the struct itself */
    lmb_h5_type type;
    bool reduced; /* in lmb_reduced */
    size_t offset;
    int dims[3]; /* a size, or a number as its negative */
    int only; /* index of the size that is 0 if the member is absent; 0: always present; with LARGE
                 if `shapes` skips it */
} field;

#define BODY(member) false, offsetof(lmb_body_data, member)
#define REDUCED(member) true, offsetof(lmb_reduced, member)
#define DOUBLES ARRAY, LMB_H5_DOUBLE
#define FLOATS ARRAY, LMB_H5_FLOAT
#define INTEGERS ARRAY, LMB_H5_INT

enum { RIGID = 16 }; /* mass, centre, inertia by columns, origin */
_Static_assert(offsetof(lmb_reduced, origin) + sizeof(vec3) ==
                   offsetof(lmb_reduced, mass) + RIGID * sizeof(double),
               "the rigid body follows on itself");

/* clang-format off */
static const field fields[] = {
    {"settings", TEXT, 0, BODY(settings), {0}, 0},
    {"warnings", TEXT, 0, BODY(warnings), {0}, 0},
    {"rigid", INSIDE, LMB_H5_DOUBLE, REDUCED(mass), {-RIGID}, 0},
    {"fixed_frequency", DOUBLES, REDUCED(fixed_frequency), {SIZE_FIXED}, 0},
    {"effective", DOUBLES, REDUCED(effective), {SIZE_FIXED, -LMB_DIRECTIONS}, 0},
    {"all_frequency", DOUBLES, REDUCED(all_frequency), {SIZE_ALL}, 0},
    {"frequency", DOUBLES, REDUCED(frequency), {SIZE_MODES}, 0},
    {"K", DOUBLES, REDUCED(K), {SIZE_MODES, SIZE_MODES}, 0},
    {"M", DOUBLES, REDUCED(M), {SIZE_MODES, SIZE_MODES}, 0},
    {"C", DOUBLES, REDUCED(C), {SIZE_MODES, SIZE_MODES}, SIZE_DAMPING},
    {"gram", DOUBLES, REDUCED(gram), {SIZE_GRAM, SIZE_GRAM}, 0},
    {"spin_stiffness", DOUBLES, REDUCED(spin_stiffness), {-LMB_SPINS, SIZE_MODES, SIZE_MODES}, SIZE_STIFFENING},
    {"mode_stiffness", DOUBLES, REDUCED(mode_stiffness), {SIZE_MODES, SIZE_MODES, SIZE_MODES}, SIZE_STIFFENING},
    {"point_name", NAMES, 0, REDUCED(point_name), {SIZE_POINTS}, 0},
    {"point", DOUBLES, REDUCED(point), {SIZE_POINTS, -3}, 0},
    {"point_shape", DOUBLES, REDUCED(point_shape), {SIZE_POINTS, -LMB_DIRECTIONS, SIZE_MODES}, 0},
    {"free/tied", DOUBLES, BODY(free_tied), {SIZE_FREE}, SIZE_FREE},
    {"free/untied", DOUBLES, BODY(free_untied), {SIZE_FREE}, SIZE_FREE},
    {"tie/kind", INTEGERS, BODY(tie), {SIZE_POINTS}, SIZE_TIED},
    {"tie/start", INTEGERS, BODY(tied_start), {SIZE_TIED_STARTS}, SIZE_TIED},
    {"tie/node", INTEGERS, BODY(tied), {SIZE_TIED}, SIZE_TIED},
    {"flexibility", DOUBLES, REDUCED(flexibility), {SIZE_POINTS, -LMB_DIRECTIONS}, SIZE_FLEXIBILITY},
    {"x", DOUBLES, REDUCED(x), {SIZE_NODES, -3}, 0},
    {"number", INTEGERS, REDUCED(number), {SIZE_NODES}, 0},
    {"shape", DOUBLES, REDUCED(shape), {SIZE_MODES, SIZE_NODES, -3}, 0},
    {"turn", DOUBLES, REDUCED(turn), {SIZE_MODES, SIZE_NODES, -3}, SIZE_TURNS},
    {"surface/triangles", INTEGERS, BODY(triangles), {SIZE_TRIANGLES, -3}, 0},
    {"surface/lines", INTEGERS, BODY(lines), {SIZE_LINES, -2}, 0},
    {"stress/node", INTEGERS, BODY(stress_node), {SIZE_STRESSES}, 0},
    {"stress/modes", DOUBLES, BODY(stress), {SIZE_COLUMNS, SIZE_STRESSES, -LMB_STRESSES}, LARGE},
    {"stress/solid_kind", INTEGERS, BODY(solid_kind), {SIZE_SOLIDS}, SIZE_SOLIDS},
    {"stress/solid_place", INTEGERS, BODY(solid_place), {SIZE_CORNERS}, SIZE_SOLIDS},
    {"stress/load_shape", FLOATS, BODY(load_shape), {SIZE_LOADS, SIZE_NODES, -3}, SIZE_SOLIDS | LARGE},
    {"stress/lines", DOUBLES, BODY(line_forces), {SIZE_MODES, SIZE_LINES, -12}, 0},
    {"stress/inertia", DOUBLES, BODY(line_inertia), {SIZE_CARRIED, SIZE_LINES, -12}, 0},
    {"stress/material", DOUBLES, BODY(stress_material), {SIZE_STRESSES, -2}, 0},
    {"stress/sections", DOUBLES, BODY(line_section), {SIZE_LINES, -LMB_LINE_NUMBERS}, 0},
    {"stress/axes", DOUBLES, BODY(line_axis), {SIZE_LINES, -3}, 0},
    {"basis/node", INTEGERS, REDUCED(drawn), {SIZE_DRAWN}, 0},
    {"basis/shape", FLOATS, REDUCED(basis_shape), {SIZE_BASIS, SIZE_DRAWN, -3}, LARGE},
    {"basis/turn", FLOATS, REDUCED(basis_turn), {SIZE_BASIS, SIZE_DRAWN, -3}, SIZE_TURNS},
    {"basis/lines", DOUBLES, BODY(basis_forces), {SIZE_BASIS, SIZE_LINES, -12}, 0},
    {"basis/stress", FLOATS, BODY(basis_mises), {SIZE_BASIS, SIZE_DRAWN, -1}, SIZE_STRESSES | LARGE},
    {"sets/name", NAMES, 0, BODY(set_name), {SIZE_SETS}, SIZE_SETS},
    {"sets/start", INTEGERS, BODY(set_start), {SIZE_STARTS}, SIZE_SETS},
    {"sets/node", INTEGERS, BODY(set_node), {SIZE_SET_NODES}, SIZE_SETS},
};
/* clang-format on */

/* How many there are of everything; the rest is read by these numbers. */
static void transfer_counts(transfer *t, lmb_body_data *d, size_t sizes[SIZES])
{
    lmb_reduced *b = d->reduced;
    int damping = b->C != NULL, turns = b->turn != NULL, stiffening = b->spin_stiffness != NULL;
    int flexibility = b->flexibility != NULL;
    int set_nodes = d->set_count ? d->set_start[d->set_count] : 0;
    int *const members[COUNTS] = {
        &b->dimension,    &b->fixed_count, &b->all_count,   &b->mode_count,     &damping,
        &b->point_count,  &b->node_count,  &turns,          &d->triangle_count, &d->line_count,
        &d->stress_count, &stiffening,     &d->set_count,   &set_nodes,         &b->drawn_count,
        &b->basis_count,  &d->load_count,  &b->patch_count, &flexibility,       &d->solid_count,
        &d->corner_count, &d->tied_count,  &d->free_count};
    int counts[COUNTS];
    for (int i = 0; i < COUNTS; i++)
        counts[i] = *members[i];
    array(t, "counts", LMB_H5_INT, 1, &(size_t){COUNTS}, counts);
    for (int i = 0; !t->failed && i < COUNTS; i++) {
        t->failed = counts[i] < 0;
        if (!t->write)
            *members[i] = counts[i];
        sizes[i] = (size_t)counts[i];
    }
    t->failed = t->failed || (b->dimension != 2 && b->dimension != 3) ||
                b->fixed_count > MOST_MODES || b->all_count > MOST_MODES ||
                b->mode_count > MOST_MODES || b->patch_count > MOST_MODES ||
                (d->load_count &&
                 d->load_count != lmb_unit_loads(b->dimension, b->point_count, b->patch_count)) ||
                (stiffening && b->mode_count > LMB_STIFFENED_MODES_MAX);
    if (t->failed)
        return;
    sizes[SIZE_GRAM] = (size_t)lmb_gram_size(b->mode_count);
    sizes[SIZE_COLUMNS] = sizes[SIZE_MODES] + sizes[SIZE_LOADS];
    sizes[SIZE_CARRIED] = LMB_CARRIED + sizes[SIZE_MODES];
    sizes[SIZE_STARTS] = sizes[SIZE_SETS] + 1;
    sizes[SIZE_TIED_STARTS] = sizes[SIZE_POINTS] + 1;
}

static void transfer_field(transfer *t, const field *f, const size_t *sizes, void *member)
{
    if (f->form == TEXT) {
        text(t, f->path, member);
        return;
    }
    if (f->form == NAMES) {
        names(t, f->path, member, (int)sizes[f->dims[0]]);
        return;
    }
    size_t dims[3];
    int rank = 0;
    for (; rank < 3 && f->dims[rank]; rank++)
        dims[rank] = f->dims[rank] < 0 ? (size_t)-f->dims[rank] : sizes[f->dims[rank]];
    if (f->form == INSIDE) {
        array(t, f->path, f->type, rank, dims, member);
        return;
    }
    void *data = NULL; /* members are pointers of several types */
    if (t->write)
        memcpy(&data, member, sizeof data);
    data = array(t, f->path, f->type, rank, dims, data);
    memcpy(member, &data, sizeof data);
}

static void transfer_body(transfer *t, lmb_body_data *d)
{
    size_t sizes[SIZES] = {0};
    transfer_counts(t, d, sizes);
    for (size_t i = 0; !t->failed && i < sizeof fields / sizeof *fields; i++) {
        const field *f = &fields[i];
        int only = f->only & ~LARGE;
        if ((!only || sizes[only]) && !(t->shapes && f->only & LARGE))
            transfer_field(t, f, sizes, (f->reduced ? (char *)d->reduced : (char *)d) + f->offset);
    }
}

/* --- writing ---------------------------------------------------------------------------------- */

static bool write_all(transfer *t, const lmb_body_data *body)
{
    lmb_body_data copy = *body; /* the same code reads, so it takes data that may change */
    transfer_body(t, &copy);
    return !t->failed && lmb_h5_put_text(t->file, "program", "limber") &&
           lmb_h5_put_text(t->file, "kind", "body") &&
           lmb_h5_put_text(t->file, "version", body->version) &&
           lmb_h5_put_text(t->file, "name", body->name) &&
           lmb_h5_put_integer(t->file, "format", FORMAT) &&
           lmb_h5_put(t->file, "checksum", H5T_NATIVE_UINT64, &t->checksum) &&
           H5Fflush(t->file, H5F_SCOPE_GLOBAL) >= 0;
}

lmb_status lmb_body_image(const lmb_body_data *body, lmb_context *context, unsigned char **bytes,
                          size_t *size)
{
    *bytes = NULL;
    transfer t = {.write = true, .arena = lmb_arena_new()};
    if (!t.arena)
        return lmb_fail_memory(context);
    ssize_t length = -1;
    H5E_BEGIN_TRY
    {
        hid_t access = H5Pcreate(H5P_FILE_ACCESS);
        H5Pset_fapl_core(access, 1 << 20, 0);
        t.file = H5Fcreate("body", H5F_ACC_TRUNC, H5P_DEFAULT, access);
        H5Pclose(access);
        if (t.file >= 0 && write_all(&t, body))
            length = H5Fget_file_image(t.file, NULL, 0);
        *bytes = length > 0 ? lmb_malloc((size_t)length) : NULL;
        if (*bytes && H5Fget_file_image(t.file, *bytes, (size_t)length) != length)
            length = -1;
        if (t.file >= 0)
            H5Fclose(t.file);
    }
    H5E_END_TRY;
    lmb_arena_free(t.arena);
    *size = length > 0 ? (size_t)length : 0;
    return *bytes && length > 0 ? LMB_OK : lmb_fail_memory(context);
}

/* --- reading ---------------------------------------------------------------------------------- */

/* Whether an attribute is this text. */
static bool says(hid_t file, lmb_arena *arena, const char *name, const char *text)
{
    const char *value = lmb_h5_get_text(arena, file, name);
    return value && strcmp(value, text) == 0;
}

/* Says why it is not a body file of this program. */
static lmb_status check_kind(transfer *t, lmb_context *context, const char *path)
{
    int format = 0;
    bool own = says(t->file, t->arena, "program", "limber");
    if (!own || !says(t->file, t->arena, "kind", "body")) {
        lmb_fail(context, LMB_BAD_INPUT, "'%s' is not a file of a reduced body", path);
        return lmb_hint(context, own ? "it has results of `limber run`"
                                     : "`limber reduce` makes such files");
    }
    if (lmb_h5_get_integer(t->file, "format", &format) && format == FORMAT)
        return LMB_OK;
    const char *version = lmb_h5_get_text(t->arena, t->file, "version");
    lmb_fail(context, LMB_BAD_INPUT, "'%s' is a body file of format %d, made by version %s", path,
             format, version ? version : "");
    return lmb_hint(context, "this program reads format %d; make it again with `limber reduce`",
                    FORMAT);
}

bool lmb_body_has_nodes(const int *nodes, size_t count, int most)
{
    for (size_t i = 0; i < count; i++)
        if (nodes[i] < 0 || nodes[i] >= most)
            return false;
    return true;
}

/* Return true if the lists follow each other in `node` and refer to nodes of the body. */
static bool lists_fit(int count, const int *start, const int *node, int nodes)
{
    for (int i = 0; i < count; i++)
        if (start[i] < 0 || start[i] > start[i + 1])
            return false;
    return count == 0 || lmb_body_has_nodes(node, (size_t)start[count], nodes);
}

/* Return true if every point has a tie of a known kind and the lists contain all tied nodes. */
static bool ties_fit(const lmb_body_data *d)
{
    int points = d->reduced->point_count;
    for (int i = 0; i < points && d->tied_count; i++)
        if (d->tie[i] < LMB_TIE_NODE || d->tie[i] > LMB_TIE_AVERAGE)
            return false;
    return d->tied_count == 0 ||
           (d->tied_start[points] == d->tied_count &&
            lists_fit(points, d->tied_start, d->tied, d->reduced->node_count));
}

/* Return true if all solids have element kinds with stresses, and places for all of their nodes. */
static bool solids_fit(const lmb_body_data *d)
{
    int corners = 0;
    for (int i = 0; i < d->solid_count; i++) {
        int kind = d->solid_kind[i];
        if (kind < 0 || kind >= LMB_ELEMENT_KINDS ||
            !lmb_element_type_of((lmb_element_kind)kind)->stress ||
            (corners += lmb_element_nodes((lmb_element_kind)kind)) > d->corner_count)
            return false;
    }
    return corners == d->corner_count &&
           lmb_body_has_nodes(d->solid_place, (size_t)corners, d->stress_count);
}

/* Shapes of the basis are there for nodes of the body, and for all motions of the points and all
 * fixed-interface modes, or for none. */
static bool basis_fits(const lmb_reduced *b)
{
    int columns = b->point_count * lmb_interface_motions(b->dimension) + b->fixed_count;
    return (b->basis_count == 0 || b->basis_count == columns) &&
           lmb_body_has_nodes(b->drawn, (size_t)b->drawn_count, b->node_count);
}

/* Whether the data are those that the checksum was made of. A fuzzer cannot make up checksums, but
 * an attacker can: what is behind this must hold by itself. */
static bool checksum_fits(const transfer *t)
{
    uint64_t checksum = 0;
    bool there = lmb_h5_get(t->file, "checksum", H5T_NATIVE_UINT64, &checksum);
#ifdef FUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION
    return there;
#else
    return there && checksum == t->checksum;
#endif
}

static lmb_status read_all(transfer *t, lmb_body_data *d, lmb_context *context, const char *path)
{
    lmb_status status = check_kind(t, context, path);
    if (status)
        return status;
    d->name = lmb_h5_get_text(t->arena, t->file, "name");
    d->version = lmb_h5_get_text(t->arena, t->file, "version");
    t->failed = !d->name || !d->version;
    transfer_body(t, d);
    if (!lmb_arena_fine(t->arena))
        return lmb_fail_memory(context);
    int nodes = d->reduced->node_count;
    if (!t->failed && (t->shapes || checksum_fits(t)) &&
        lmb_body_has_nodes(d->triangles, 3 * (size_t)d->triangle_count, nodes) &&
        lmb_body_has_nodes(d->lines, 2 * (size_t)d->line_count, nodes) &&
        lmb_body_has_nodes(d->stress_node, (size_t)d->stress_count, nodes) &&
        lists_fit(d->set_count, d->set_start, d->set_node, nodes) && ties_fit(d) && solids_fit(d) &&
        basis_fits(d->reduced))
        return LMB_OK;
    lmb_fail(context, LMB_BAD_INPUT, "'%s' is damaged", path);
    return lmb_hint(context, "make it again with `limber reduce`");
}

static lmb_status open_and_read(transfer *t, lmb_body_data *d, lmb_context *context,
                                const char *path)
{
    lmb_status status;
    H5E_BEGIN_TRY
    {
        t->file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
        if (t->file < 0) {
            status = lmb_fail(context, LMB_BAD_INPUT, "'%s' is damaged or cut off", path);
            lmb_hint(context, "make it again with `limber reduce`");
        } else {
            status = read_all(t, d, context, path);
            H5Fclose(t->file);
        }
    }
    H5E_END_TRY;
    return status;
}

lmb_status lmb_body_read(lmb_body_data **out, lmb_context *context, const char *path)
{
    return lmb_body_read_parts(out, context, path, false);
}

lmb_status lmb_body_read_parts(lmb_body_data **out, lmb_context *context, const char *path,
                               bool shapes)
{
    *out = NULL;
    if (!lmb_h5_signature(path))
        return errno
                   ? lmb_fail_read(context, path, errno)
                   : lmb_fail(context, LMB_BAD_INPUT, "'%s' is not a file of a reduced body", path);
    lmb_status status = lmb_h5_probe(context, path);
    if (status)
        return status;
    lmb_arena *arena;
    lmb_body_data *d = lmb_arena_object(&arena, sizeof *d);
    lmb_reduced *b = d ? lmb_arena_alloc(arena, 1, sizeof *b) : NULL;
    if (!b) {
        lmb_arena_free(arena);
        return lmb_fail_memory(context);
    }
    d->arena = arena;
    d->reduced = b;
    transfer t = {.arena = arena, .shapes = shapes};
    status = open_and_read(&t, d, context, path);
    if (status)
        lmb_body_free(d);
    else
        *out = d;
    return status;
}

void lmb_body_free(lmb_body_data *d)
{
    if (!d)
        return;
    if (d->reduced && d->reduced->arena)
        lmb_reduced_free(d->reduced);
    lmb_arena_free(d->arena);
}

bool lmb_is_body_file(const char *path)
{
    return lmb_h5_signature(path) || lmb_ends_with(path, ".h5");
}

lmb_file_kind lmb_file_kind_of(lmb_context *context, const char *path)
{
    lmb_file_kind kind = LMB_FILE_OTHER;
    size_t messages = lmb_message_count(context);
    bool good = lmb_h5_signature(path) && lmb_h5_probe(context, path) == LMB_OK;
    lmb_messages_forget(context, messages);
    lmb_arena *arena = good ? lmb_arena_new() : NULL;
    if (!arena)
        return kind;
    H5E_BEGIN_TRY
    {
        hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
        if (says(file, arena, "program", "limber"))
            kind = says(file, arena, "kind", "body") ? LMB_FILE_BODY : LMB_FILE_RESULT;
        H5Fclose(file);
    }
    H5E_END_TRY;
    lmb_arena_free(arena);
    return kind;
}
