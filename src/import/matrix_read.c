/* A finite element model of matrices: reads the mapping, the matrices and the coordinates, and puts
 * them together. Matrices as lists of entries are read here.
 *
 * A file of Matrix Market, which Ansys calls MMF, begins with %%MatrixMarket matrix FORMAT NUMBERS
 * SYMMETRY, then comments with %, the size, and the entries: row, column, value, or for an array
 * all values by columns. A plain list has entries only, of one triangle or of both.
 *
 * A mapping says which node and direction each equation belongs to:
 *
 *   Ansys       a title, then lines of equation, node, UX UY UZ ROTX ROTY or ROTZ
 *   CalculiX    lines of node.direction, as 12.1
 *   a table     lines of equation, node, direction, the direction being 1 to 6 or a word of Ansys
 *
 * Nodes may be in any order. Equations ascend from 1. */
#include "import/matrix_read.h"

#include <limits.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "import/matrix_draft.h"
#include "import/mesh_read.h"

/* --- Equations of nodes --- */

/* The equation of a node and a direction (from 0), added unless the mapping is complete; -1 after a
 * failure. */
static int mapping_place(lmb_mapping *mapping, lmb_scan *scan, int node, int direction)
{
    lmb_mapping_check(scan, node);
    if (direction < 0 || direction >= LMB_DIRECTIONS)
        lmb_scan_fail(scan, "direction %d of node %d is not one of 1 to 6", direction + 1, node);
    if (scan->status)
        return -1;
    int place = lmb_numbers_find(&mapping->places, node * LMB_DIRECTIONS + direction);
    if (place >= 0)
        return place;
    if (mapping->complete)
        lmb_scan_fail(scan, "node %d, %s: the stiffness has no such degree of freedom", node,
                      lmb_direction_words[direction]);
    else
        lmb_mapping_add(mapping, scan, node, direction);
    return (int)mapping->equations.count - 1;
}

static int find_direction(lmb_scan *scan, lmb_word word, int node)
{
    int number;
    if (lmb_word_integer(word, &number) && number >= 1 && number <= LMB_DIRECTIONS)
        return number - 1;
    for (int i = 0; i < LMB_DIRECTIONS; i++)
        if (lmb_word_is(word, lmb_direction_words[i]))
            return i;
    lmb_scan_fail(scan, "node %d has the degree of freedom '%.*s', which is not supported", node,
                  word.length < 20 ? word.length : 20, word.start);
    lmb_hint(scan->context, "UX, UY, UZ, ROTX, ROTY and ROTZ are");
    return 0;
}

/* One equation: three words, or one of CalculiX. */
static lmb_status read_line(lmb_mapping *mapping, lmb_scan *scan, lmb_word *words, int count)
{
    int expected = (int)mapping->equations.count + 1, equation = expected;
    const char *point = memchr(words[0].start, '.', (size_t)words[0].length);
    if (count == 1 && point) {
        int length = (int)(point - words[0].start);
        words[2] = (lmb_word){point + 1, words[0].length - length - 1};
        words[1] = (lmb_word){words[0].start, length};
    } else if (count < 3) {
        return lmb_scan_fail(scan, "expected equation, node and direction");
    } else {
        equation = lmb_scan_integer_of(scan, words[0], "the number of an equation");
    }
    int node = lmb_scan_integer_of(scan, words[1], "the number of a node");
    if (lmb_mapping_check(scan, node))
        return scan->status;
    int direction = find_direction(scan, words[2], node);
    if (equation != expected)
        return lmb_scan_fail(scan, "equation %d is not the next one, which is %d", equation,
                             expected);
    return lmb_mapping_add(mapping, scan, node, direction);
}

static lmb_status read_equations(lmb_mapping *mapping, lmb_scan *scan)
{
    while (lmb_scan_line(scan)) {
        lmb_word words[4] = {{0}};
        int count = lmb_scan_words(scan, words, 4);
        if (count == 0)
            continue;
        /* a title has no equation in it */
        bool title = mapping->equations.count == 0 && words[0].length > 0 &&
                     !memchr("+-.0123456789", *words[0].start, 13);
        if (!title)
            read_line(mapping, scan, words, count);
    }
    if (mapping->equations.count == 0)
        lmb_scan_fail(scan, "the mapping has no equations");
    mapping->complete = true;
    return scan->status;
}

/* --- Matrix Market --- */

static bool is_one_of(lmb_word word, const char *a, const char *b)
{
    return lmb_word_is(word, a) || lmb_word_is(word, b);
}

/* The first line; whether the matrix is an array. */
static bool read_banner(lmb_matrix_draft *draft)
{
    lmb_scan *s = draft->scan;
    lmb_word w[5] = {{0}};
    lmb_scan_line(s);
    if (lmb_scan_words(s, w, 5) < 5)
        lmb_scan_fail(s, "expected %%%%MatrixMarket matrix coordinate real symmetric");
    if (!lmb_word_is(w[1], "matrix") || !is_one_of(w[2], "coordinate", "array"))
        lmb_scan_fail(s, "expected 'matrix coordinate' or 'matrix array'");
    if (!is_one_of(w[3], "real", "integer") && !lmb_word_is(w[3], "double"))
        lmb_scan_fail(s, "a matrix of numbers of the kind '%.*s' is not supported", w[3].length,
                      w[3].start);
    if (!is_one_of(w[4], "symmetric", "general"))
        lmb_scan_fail(s, "a matrix that is '%.*s' is not supported", w[4].length, w[4].start);
    draft->form = lmb_word_is(w[4], "symmetric") ? LMB_FORM_TRIANGLE : LMB_FORM_FULL;
    return lmb_word_is(w[2], "array");
}

/* The next line that is neither empty nor a comment. */
static bool next_line(lmb_scan *s)
{
    while (lmb_scan_line(s)) {
        while (s->now < s->end && (*s->now == ' ' || *s->now == '\t'))
            s->now++;
        if (s->now < s->end && !strchr("%#*", *s->now))
            return true;
    }
    return false;
}

/* row column value */
static void read_entry(lmb_matrix_draft *draft)
{
    int row = lmb_scan_integer(draft->scan, "the row of an entry");
    int column = lmb_scan_integer(draft->scan, "the column of an entry");
    lmb_matrix_add(draft, row, column, lmb_scan_number(draft->scan, "the value of an entry"));
}

/* All values by columns; of a symmetric matrix those from the diagonal on. */
static void read_array(lmb_matrix_draft *draft, int n)
{
    lmb_scan *s = draft->scan;
    for (int j = 1; j <= n; j++)
        for (int i = draft->form == LMB_FORM_TRIANGLE ? j : 1; i <= n && !s->status; i++) {
            if (!next_line(s))
                lmb_scan_fail(s, "the file ends early: entry (%d, %d) is missing", i, j);
            double value = lmb_scan_number(s, "the value of an entry");
            if (value != 0 || i == j)
                lmb_matrix_add(draft, i, j, value);
        }
}

static void read_market(lmb_matrix_draft *draft)
{
    lmb_scan *s = draft->scan;
    bool array = read_banner(draft);
    if (!next_line(s))
        lmb_scan_fail(s, "the file ends early: the size of the matrix is missing");
    int rows = lmb_scan_integer(s, "the number of rows");
    int columns = lmb_scan_integer(s, "the number of columns");
    int entries = array ? 0 : lmb_scan_integer(s, "the number of entries");
    lmb_matrix_size(draft, rows, columns);
    if (array)
        read_array(draft, s->status ? 0 : rows);
    for (int i = 0; i < entries && !s->status; i++) {
        if (!next_line(s))
            lmb_scan_fail(s, "the file ends after %d of %d entries", i, entries);
        read_entry(draft);
    }
    if (next_line(s))
        lmb_scan_fail(s, "there are more entries than the head says");
}

/* --- Plain lists --- */

/* Whether a list has lines of node, direction, node, direction, value. */
static bool is_labelled(lmb_scan scan)
{
    lmb_word words[6];
    return next_line(&scan) && lmb_scan_words(&scan, words, 6) == 5;
}

static void read_labelled(lmb_matrix_draft *draft)
{
    lmb_scan *s = draft->scan;
    int place[2];
    for (int i = 0; i < 2; i++) {
        int node = lmb_scan_integer(s, "the number of a node");
        int direction = lmb_scan_integer(s, "a direction");
        place[i] = mapping_place(draft->mapping, s, node, direction - 1);
    }
    lmb_matrix_add(draft, place[0] + 1, place[1] + 1, lmb_scan_number(s, "the value of an entry"));
}

/* --- The mapping --- */

typedef struct reader {
    lmb_context *context;
    lmb_arena *arena;
    const lmb_matrix_files *files;
    lmb_mapping mapping;
    lmb_fe_model *model;
} reader;

/* A file of the name of another with another ending; NULL if there is none. */
static const char *beside(lmb_arena *arena, const char *path)
{
    static const char *const endings[] = {".mapping", ".MAPPING", ".dof"};
    int stem = (int)(lmb_file_ending(path).start - path);
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        const char *name = lmb_text_format(arena, "%.*s%s", stem, path, endings[i]);
        if (name && access(name, R_OK) == 0)
            return name;
    }
    return NULL;
}

const char *lmb_mapping_beside(lmb_arena *arena, const lmb_matrix_files *files)
{
    const char *path = beside(arena, files->stiffness);
    return path || !files->mass ? path : beside(arena, files->mass);
}

static lmb_status read_mapping(reader *r)
{
    const char *path = r->files->mapping;
    if (!path)
        path = lmb_mapping_beside(r->arena, r->files);
    if (!path)
        return lmb_fail_hint(
            r->context,
            "Ansys writes a .mapping file if the last argument of HBMAT is YES, "
            "CalculiX a .dof file; a table of equation, node, direction will do",
            "there is no mapping that says which node and direction each row of '%s' belongs to",
            r->files->stiffness);
    lmb_scan scan;
    lmb_status status = lmb_scan_open(&scan, r->context, path);
    if (status)
        return status;
    r->mapping.file = path;
    status = read_equations(&r->mapping, &scan);
    lmb_scan_close(&scan);
    return status;
}

/* --- The matrices --- */

/* Reads a matrix. The stiffness is the first; it needs the mapping unless its rows have labels. */
static lmb_status read_matrix(reader *r, const char *path, lmb_matrix_role role, lmb_symmetric *out)
{
    lmb_scan scan;
    lmb_status status = lmb_scan_open(&scan, r->context, path);
    if (status)
        return status;
    bool market = strncmp(scan.text, "%%MatrixMarket", 14) == 0;
    bool boeing = !market && lmb_is_harwell_boeing(scan);
    bool labelled = !market && !boeing && is_labelled(scan);
    if (role == LMB_STIFFNESS && labelled)
        r->mapping.file = path;
    else if (role == LMB_STIFFNESS)
        status = read_mapping(r);
    lmb_matrix_draft draft = {.scan = &scan, .mapping = &r->mapping, .role = role};
    if (!status) {
        if (market)
            read_market(&draft);
        else if (boeing)
            lmb_read_harwell_boeing(&draft);
        while (!market && !boeing && next_line(&scan))
            (labelled ? read_labelled : read_entry)(&draft);
        r->mapping.complete = true;
        status = lmb_matrix_finish(&draft, r->arena, out);
    }
    lmb_list_free(&draft.entries);
    lmb_scan_close(&scan);
    return status;
}

/* --- The model --- */

static lmb_status make_model(reader *r, lmb_mesh *mesh)
{
    lmb_status status = lmb_mapping_model(r->model, r->context, r->arena, &r->mapping, mesh);
    if (!status && r->files->units)
        lmb_units_matrices(r->files->units, r->model);
    return status;
}

lmb_status lmb_matrices_read(lmb_fe_model **out, lmb_context *context, lmb_arena *arena,
                             const lmb_matrix_files *files)
{
    reader r = {context, arena, files, .model = lmb_arena_alloc(arena, 1, sizeof *r.model)};
    lmb_mesh *mesh = NULL;
    *out = NULL;
    if (!r.model)
        return lmb_fail_memory(context);
    if (!files->stiffness || !files->mass || !files->nodes)
        return lmb_fail(context, LMB_BAD_INPUT,
                        "a model of matrices needs a stiffness, a mass and the nodes");
    bool failed = read_matrix(&r, files->stiffness, LMB_STIFFNESS, &r.model->K) ||
                  read_matrix(&r, files->mass, LMB_MASS, &r.model->M) ||
                  (files->damping && read_matrix(&r, files->damping, LMB_DAMPING, &r.model->C)) ||
                  lmb_mesh_read(&mesh, context, arena, files->nodes, files->units) ||
                  make_model(&r, mesh);
    lmb_list_free(&r.mapping.equations);
    lmb_numbers_free(&r.mapping.places);
    *out = failed ? NULL : r.model;
    return failed ? lmb_last_status(context) : LMB_OK;
}
