/* From a mesh to a finite element model: checks, degrees of freedom, pattern, matrices. */
#include "fe/assembly.h"

#include "fe/pattern.h"
#include "fe/quality.h"

/* What elements meet at a node. */
typedef struct meeting {
    unsigned char directions;
    bool solid, beam, mass, inertia;
} meeting;

static bool has_inertia(const lmb_point_mass *m)
{
    double sum = 0;
    for (int i = 0; i < 3; i++)
        sum += v3_norm(m->inertia.c[i]);
    return sum > 0;
}

static void find_meetings(const lmb_mesh *mesh, meeting *at)
{
    for (int i = 0; i < mesh->element_count; i++) {
        const lmb_element *e = &mesh->elements[i];
        const lmb_element_type *type = lmb_element_type_of(e->kind);
        for (int k = 0; k < type->nodes; k++) {
            meeting *m = &at[mesh->connections[e->first + k]];
            m->solid |= type->solid;
            m->beam |= type->beam;
            if (e->kind == LMB_POINT_MASS) {
                m->mass |= mesh->masses[e->point_mass].mass > 0;
                m->inertia |= has_inertia(&mesh->masses[e->point_mass]);
            } else {
                m->directions |= (unsigned char)type->directions;
            }
        }
    }
}

/* A point mass has no stiffness, so it needs another element at its node, and an inertia needs one
 * that has rotations. */
static lmb_status check_meetings(const lmb_mesh *mesh, const meeting *at, lmb_context *context)
{
    int hinges = 0, hinge = -1, lost = 0, lost_at = -1;
    for (int i = 0; i < mesh->node_count; i++) {
        if ((at[i].mass || at[i].inertia) && !at[i].directions)
            return lmb_fail_hint(context, "move it to a node of a beam or a solid",
                                 "the point mass at node %d of %s is at a node without elements",
                                 mesh->number[i], mesh->file ? mesh->file : "the mesh");
        if (at[i].solid && at[i].beam && hinges++ == 0)
            hinge = mesh->number[i];
        if (at[i].inertia && !at[i].beam && lost++ == 0)
            lost_at = mesh->number[i];
    }
    if (hinges)
        lmb_warn(context,
                 "a beam ends at a solid at node %d%s: it is hinged there, because solids have no "
                 "rotations",
                 hinge, hinges > 1 ? " and others" : "");
    if (lost)
        lmb_warn(
            context,
            "the inertia of the point mass at node %d%s has no effect: the node of a solid has "
            "no rotations",
            lost_at, lost > 1 ? " and others" : "");
    return LMB_OK;
}

/* Numbers the degrees of freedom node by node. */
static void number_dofs(lmb_fe_model *model, const meeting *at)
{
    for (int i = 0; i < model->node_count; i++)
        for (int d = 0; d < LMB_DIRECTIONS; d++)
            model->dof[i][d] = at[i].directions & LMB_BIT(d) ? model->n++ : -1;
    model->node = lmb_arena_integers(model->arena, (size_t)model->n + 1);
    model->direction = lmb_arena_alloc(model->arena, (size_t)model->n + 1, 1);
    for (int i = 0; i < model->node_count && lmb_arena_fine(model->arena); i++)
        for (int d = 0; d < LMB_DIRECTIONS; d++)
            if (model->dof[i][d] >= 0) {
                model->node[model->dof[i][d]] = i;
                model->direction[model->dof[i][d]] = (signed char)d;
            }
}

static void fill_model(lmb_fe_model *model, lmb_arena *arena, const lmb_mesh *mesh)
{
    size_t nodes = (size_t)mesh->node_count;
    *model = (lmb_fe_model){.arena = arena,
                            .dimension = mesh->dimension,
                            .node_count = mesh->node_count,
                            .mesh = mesh,
                            .assembled = true};
    model->x = lmb_arena_grow(arena, mesh->x, nodes, nodes + 1, sizeof *model->x);
    model->number = lmb_arena_grow(arena, mesh->number, nodes, nodes + 1, sizeof *model->number);
    model->dof = lmb_arena_alloc(arena, nodes + 1, sizeof *model->dof);
}

static lmb_status assemble(lmb_fe_model *model, lmb_arena *scratch, lmb_context *context,
                           int threads)
{
    const lmb_mesh *mesh = model->mesh;
    const lmb_element_tables *tables = lmb_element_tables_new(scratch);
    meeting *at = lmb_arena_alloc(scratch, (size_t)mesh->node_count + 1, sizeof *at);
    lmb_fe_pattern pattern;
    lmb_status status = lmb_check_memory(context, scratch);
    if (status || (status = lmb_check_memory(context, model->arena)) ||
        (status = lmb_mesh_check(mesh, tables, context)))
        return status;
    find_meetings(mesh, at);
    if ((status = check_meetings(mesh, at, context)))
        return status;
    number_dofs(model, at);
    if (!lmb_fe_pattern_make(&pattern, scratch, model) ||
        !lmb_fe_add_elements(&pattern, model, tables, threads))
        return lmb_fail_memory(context);
    lmb_symmetric all = model->M; /* masses of solids do not couple directions */
    return lmb_symmetric_without_zeros(&model->M, model->arena, &all) ? LMB_OK
                                                                      : lmb_fail_memory(context);
}

lmb_status lmb_fe_assemble_with(lmb_fe_model **out, lmb_context *context, const lmb_mesh *mesh,
                                int threads)
{
    lmb_arena *arena, *scratch = lmb_arena_new();
    lmb_fe_model *model = lmb_arena_object(&arena, sizeof *model);
    lmb_status status = model ? LMB_OK : lmb_fail_memory(context);
    if (model) {
        fill_model(model, arena, mesh);
        int good = lmb_element_threads(mesh, mesh->element_count / LMB_THREAD_ELEMENTS);
        status = assemble(model, scratch, context, threads > 0 ? threads : good);
    }
    lmb_arena_free(scratch);
    if (status)
        lmb_arena_free(arena);
    *out = status ? NULL : model;
    return status;
}

lmb_status lmb_fe_assemble(lmb_fe_model **out, lmb_context *context, const lmb_mesh *mesh)
{
    return lmb_fe_assemble_with(out, context, mesh, 0);
}
