/* A finite element model of matrices: reads the mapping, the matrices and the coordinates, and puts
 * them together. */
#include "import/matrix_read.h"

#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "import/matrix_draft.h"
#include "import/mesh_read.h"

typedef struct reader {
    lmb_context *context;
    lmb_arena *arena;
    const lmb_matrix_files *files;
    lmb_mapping mapping;
    lmb_fe_model *model;
} reader;

/* --- The mapping --- */

/* A file of the name of another with another ending; NULL if there is none. */
static const char *beside(lmb_arena *arena, const char *path)
{
    static const char *const endings[] = {".mapping", ".MAPPING", ".dof"};
    const char *slash = strrchr(path, '/'), *dot = strrchr(slash ? slash : path, '.');
    int stem = (int)(dot ? (size_t)(dot - path) : strlen(path));
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
    status = lmb_mapping_read(&r->mapping, &scan);
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
    bool labelled = !market && !boeing && lmb_is_labelled(scan);
    if (role == LMB_STIFFNESS && labelled)
        r->mapping.file = path;
    else if (role == LMB_STIFFNESS)
        status = read_mapping(r);
    lmb_matrix_draft draft = {.mapping = &r->mapping, .role = role};
    if (!status)
        status = market   ? lmb_read_matrix_market(&draft, &scan)
                 : boeing ? lmb_read_harwell_boeing(&draft, &scan)
                          : lmb_read_coordinates(&draft, &scan, labelled);
    r->mapping.complete = true;
    if (!status)
        status = lmb_matrix_finish(&draft, &scan, r->arena, out);
    lmb_list_free(&draft.entries);
    lmb_scan_close(&scan);
    return status;
}

/* --- The model --- */

/* Where each equation's node is in the mesh. */
static lmb_status place_equations(reader *r, const lmb_mesh *mesh)
{
    lmb_fe_model *model = r->model;
    const lmb_equation *equations = r->mapping.equations.data;
    lmb_numbers places = {0};
    lmb_status status = LMB_OK;
    for (int i = 0; i < mesh->node_count && !status; i++)
        if (!lmb_numbers_add(&places, mesh->number[i], i))
            status = lmb_fail_memory(r->context);
    for (int i = 0; i < model->n && !status; i++) {
        const lmb_equation *e = &equations[i];
        int node = lmb_numbers_find(&places, e->node);
        lmb_place place = {r->mapping.file, NULL, e->line, 0, 1};
        if (node < 0) {
            status = lmb_fail_at(r->context, place, "node %d has no coordinates in '%s'", e->node,
                                 mesh->file);
            lmb_hint(r->context, "remote points are nodes too: write all nodes of the model");
            continue;
        }
        model->dof[node][e->direction] = i;
        model->node[i] = node;
        model->direction[i] = (signed char)e->direction;
    }
    lmb_numbers_free(&places);
    return status;
}

/* A model in the plane has no node and no degree of freedom outside of it. */
static int find_dimension(const lmb_fe_model *model)
{
    for (int i = 0; i < model->n; i++) {
        int d = model->direction[i];
        if ((d != LMB_UX && d != LMB_UY && d != LMB_RZ) || model->x[model->node[i]].z != 0)
            return 3;
    }
    return 2;
}

static lmb_status make_model(reader *r, lmb_mesh *mesh)
{
    lmb_fe_model *model = r->model;
    size_t nodes = (size_t)mesh->node_count, n = r->mapping.equations.count;
    model->arena = r->arena;
    model->n = (int)n;
    model->node_count = mesh->node_count;
    model->x = mesh->x;
    model->number = mesh->number;
    model->dof = lmb_arena_alloc(r->arena, nodes, sizeof *model->dof);
    model->node = lmb_arena_integers(r->arena, n);
    model->direction = lmb_arena_alloc(r->arena, n, sizeof *model->direction);
    if (!lmb_arena_fine(r->arena))
        return lmb_fail_memory(r->context);
    memset(model->dof, -1, nodes * sizeof *model->dof);
    lmb_status status = place_equations(r, mesh);
    if (status)
        return status;
    model->dimension = find_dimension(model);
    model->mesh = mesh->element_count > 0 ? mesh : NULL;
    if (r->files->units)
        lmb_units_matrices(r->files->units, model);
    return LMB_OK;
}

static lmb_status read_all(reader *r)
{
    const lmb_matrix_files *files = r->files;
    lmb_mesh *mesh = NULL;
    if (!files->stiffness || !files->mass || !files->nodes)
        return lmb_fail(r->context, LMB_BAD_INPUT,
                        "a model of matrices needs a stiffness, a mass and the nodes");
    lmb_status status = read_matrix(r, files->stiffness, LMB_STIFFNESS, &r->model->K);
    if (!status)
        status = read_matrix(r, files->mass, LMB_MASS, &r->model->M);
    if (!status && files->damping)
        status = read_matrix(r, files->damping, LMB_DAMPING, &r->model->C);
    if (!status)
        status = lmb_mesh_read(&mesh, r->context, r->arena, files->nodes, files->units);
    return status ? status : make_model(r, mesh);
}

lmb_status lmb_matrices_read(lmb_fe_model **out, lmb_context *context, lmb_arena *arena,
                             const lmb_matrix_files *files)
{
    reader r = {.context = context, .arena = arena, .files = files};
    *out = NULL;
    r.model = lmb_arena_alloc(arena, 1, sizeof *r.model);
    if (!r.model)
        return lmb_fail_memory(context);
    lmb_status status = read_all(&r);
    lmb_mapping_free(&r.mapping);
    if (!status)
        *out = r.model;
    return status;
}
