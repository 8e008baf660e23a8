/* Inertia forces of solids need only the mass matrix of displacements. Beams and point masses also
 * have rotations. Their centrifugal forces are integrals over their sections
 * (fe/inertia_load.c). */
#include "reduction/nodal_loads.h"

#include "fe/solid.h"
#include "math/dense.h"
#include "reduction/residual.h"

typedef struct work {
    const lmb_masses *masses;
    const lmb_reduced *reduced;
    const lmb_body_loads *loads;
    vec3 *linear, *angular; /* nodal accelerations without the centrifugal part */
    vec3 spin;
    bool *turns;   /* true for nodes with rotations */
    double *u, *f; /* n of the model */
    vec3 centre;   /* centre of mass */
    lmb_nodal_loads *out;
} work;

static vec3 centripetal(vec3 w, vec3 x)
{
    return v3_cross(w, v3_cross(w, x));
}

/* Return the position of a node relative to the origin of the mesh. */
static vec3 place_of(const work *w, int node)
{
    return v3_add(w->reduced->origin, w->reduced->x[node]);
}

/* Add a rigid acceleration about a point. */
static void add_rigid(work *w, vec3 about, vec3 linear, vec3 angular)
{
    for (int i = 0; i < w->reduced->node_count; i++) {
        vec3 arm = v3_sub(place_of(w, i), about);
        w->linear[i] = v3_add(w->linear[i], v3_add(linear, v3_cross(angular, arm)));
        w->angular[i] = v3_add(w->angular[i], angular);
    }
}

/* Mark the nodes of beams, which have rotations. Nodes of solids have none, even with a point mass.
 */
static void mark_turning(work *w)
{
    const lmb_mesh *mesh = w->masses->mesh;
    const lmb_fe_model *m = w->masses->model;
    for (int i = 0; m && i < m->n; i++)
        w->turns[m->node[i]] = w->turns[m->node[i]] || m->direction[i] >= LMB_RX;
    for (int i = 0; !m && i < mesh->element_count; i++) {
        const lmb_element *e = &mesh->elements[i];
        for (int k = 0; k < lmb_element_nodes(e->kind); k++)
            if (lmb_element_type_of(e->kind)->beam)
                w->turns[mesh->connections[e->first + k]] = true;
    }
}

/* Add the accelerations of the modes relative to the frame. */
static void add_modes(work *w, const double *accelerations)
{
    const lmb_reduced *r = w->reduced;
    size_t n = (size_t)r->node_count;
    for (size_t k = 0; accelerations && k < (size_t)r->mode_count; k++)
        for (size_t i = 0; i < n; i++) {
            w->linear[i] =
                v3_axpy(w->linear[i], accelerations[k], v3_of(r->shape + 3 * (k * n + i)));
            if (r->turn)
                w->angular[i] =
                    v3_axpy(w->angular[i], accelerations[k], v3_of(r->turn + 3 * (k * n + i)));
        }
}

/* Add the Coriolis accelerations 2 omega x Phi eta' of the nodes. */
static void add_coriolis(work *w, const double *rates)
{
    const lmb_reduced *r = w->reduced;
    size_t n = (size_t)r->node_count;
    for (size_t k = 0; rates && k < (size_t)r->mode_count; k++)
        for (size_t i = 0; i < n; i++)
            w->linear[i] = v3_axpy(w->linear[i], 2 * rates[k],
                                   v3_cross(w->spin, v3_of(r->shape + 3 * (k * n + i))));
}

/* --- inertia forces --------------------------------------------------------------------------- */

static void add_solid(work *w, const lmb_element_data *e, const int *nodes)
{
    vec3 force[LMB_ELEMENT_NODES_MAX], load[LMB_ELEMENT_NODES_MAX] = {{0, 0, 0}};
    int count = lmb_element_nodes(e->kind);
    for (int a = 0; a < count; a++)
        force[a] = v3_scale(-1, v3_add(w->linear[nodes[a]], centripetal(w->spin, e->x[a])));
    lmb_solid_add_load(lmb_solid_table_of(w->masses->tables, e->kind), e, force, load);
    for (int a = 0; a < count; a++)
        w->out->force[nodes[a]] = v3_add(w->out->force[nodes[a]], load[a]);
}

/* Add element values per degree of freedom to the forces on its nodes. */
static void scatter(work *w, const lmb_element_type *type, const int *nodes, double factor,
                    const double *load)
{
    int k = 0;
    for (int a = 0; a < type->nodes; a++)
        for (int d = 0; d < LMB_DIRECTIONS; d++)
            if (type->directions & LMB_BIT(d)) {
                vec3 *to = &(d < LMB_RX ? w->out->force : w->out->moment)[nodes[a]];
                if (d < LMB_RX || w->turns[nodes[a]])
                    *to = v3_axpy(*to, factor * load[k], v3_axis(d % 3));
                k++;
            }
}

/* Add the inertia forces of beams and point masses. */
static void add_sections(work *w, const lmb_element_data *e, const int *nodes)
{
    const lmb_element_type *type = lmb_element_type_of(e->kind);
    double K[LMB_ELEMENT_DOFS_MAX * LMB_ELEMENT_DOFS_MAX];
    double M[LMB_ELEMENT_DOFS_MAX * LMB_ELEMENT_DOFS_MAX];
    double a[LMB_ELEMENT_DOFS_MAX], load[LMB_ELEMENT_DOFS_MAX];
    type->matrices(w->masses->tables, e, K, M);
    int n = 0;
    for (int i = 0; i < type->nodes; i++)
        for (int d = 0; d < LMB_DIRECTIONS; d++)
            if (type->directions & LMB_BIT(d))
                a[n++] = v3_get(d < LMB_RX ? w->linear[nodes[i]] : w->angular[nodes[i]], d % 3);
    for (int i = 0; i < n; i++) {
        load[i] = 0;
        for (int k = 0; k < n; k++)
            load[i] -= M[k * n + i] * a[k];
    }
    scatter(w, type, nodes, 1, load);
    for (int s = 0; s < LMB_SPINS; s++) {
        int p = lmb_spin_pair[s][0], q = lmb_spin_pair[s][1];
        lmb_inertia_field field = lmb_centrifugal_field(v3(0, 0, 0), p, q, v3(0, 0, 0));
        lmb_inertia_load(w->masses->tables, e, &field, load);
        scatter(w, type, nodes, (s < 3 ? 1 : 2) * v3_get(w->spin, p) * v3_get(w->spin, q), load);
    }
}

static void add_elements(work *w)
{
    const lmb_mesh *mesh = w->masses->mesh;
    for (int i = 0; i < mesh->element_count; i++) {
        lmb_element_data e;
        lmb_element_gather(mesh, i, &e);
        const int *nodes = mesh->connections + mesh->elements[i].first;
        (lmb_element_type_of(e.kind)->solid ? add_solid : add_sections)(w, &e, nodes);
    }
}

/* Add -M a with the mass matrix of a model. */
static void add_matrix(work *w)
{
    const lmb_fe_model *m = w->masses->model;
    for (int i = 0; i < m->n; i++) {
        int node = m->node[i], d = m->direction[i];
        vec3 turning = centripetal(w->spin, place_of(w, node));
        w->u[i] = d < LMB_RX ? v3_get(v3_add(w->linear[node], turning), d)
                             : v3_get(w->angular[node], d - LMB_RX);
    }
    lmb_symmetric_multiply_many(&m->M, 1, w->u, w->f);
    for (int i = 0; i < m->n; i++) {
        vec3 *to = m->direction[i] < LMB_RX ? w->out->force : w->out->moment;
        to[m->node[i]] = v3_axpy(to[m->node[i]], -w->f[i], v3_axis(m->direction[i] % 3));
    }
}

static void set_forces(work *w)
{
    const lmb_wrench none = {{0, 0, 0}, {0, 0, 0}};
    for (int i = 0; i < w->reduced->node_count; i++) {
        const lmb_wrench *spread = w->loads->spread ? &w->loads->spread[i] : &none;
        w->out->force[i] = spread->force;
        w->out->moment[i] = w->turns[i] ? spread->moment : none.moment;
    }
    if (w->masses->model)
        add_matrix(w);
    else
        add_elements(w);
}

/* --- equilibrium ------------------------------------------------------------------------------ */

static void add_wrench(lmb_wrench *sum, vec3 arm, vec3 force, vec3 moment)
{
    sum->force = v3_add(sum->force, force);
    sum->moment = v3_add(sum->moment, v3_add(moment, v3_cross(arm, force)));
}

/* Add a rigid acceleration that balances all loads. */
static bool balance(work *w)
{
    const lmb_reduced *r = w->reduced;
    const lmb_placed_load *placed = w->loads->placed;
    lmb_nodal_loads *out = w->out;
    lmb_wrench sum = {v3(0, 0, 0), v3(0, 0, 0)};
    for (int i = 0; i < r->node_count; i++)
        add_wrench(&sum, v3_sub(place_of(w, i), w->centre), out->force[i], out->moment[i]);
    double force = v3_norm(sum.force), moment = v3_norm(sum.moment);
    for (const lmb_placed_load *p = placed; p < placed + w->loads->count; p++) {
        vec3 arm = v3_sub(p->x, w->centre);
        force += v3_norm(p->load.force);
        moment += v3_norm(p->load.moment) + v3_norm(v3_cross(arm, p->load.force));
        add_wrench(&sum, arm, p->load.force, p->load.moment);
    }
    out->removed = sum;
    out->share = fmax(force > 0 ? v3_norm(sum.force) / force : 0,
                      moment > 0 ? v3_norm(sum.moment) / moment : 0);
    double J[9], c[3] = {sum.moment.x, sum.moment.y, sum.moment.z};
    for (int i = 0; i < 9; i++)
        J[i] = v3_get(r->inertia.c[i / 3], i % 3);
    if (!lmb_dense_solve(3, J, 1, c))
        return false;
    add_rigid(w, w->centre, v3_scale(1 / r->mass, sum.force), v3_of(c));
    return true;
}

lmb_status lmb_nodal_loads_find(lmb_nodal_loads *out, lmb_context *context, lmb_arena *arena,
                                const lmb_masses *masses, const lmb_reduced *reduced,
                                const lmb_body_motion *motion, const lmb_body_loads *loads)
{
    size_t n = (size_t)reduced->node_count + 1;
    size_t freedoms = masses->model ? (size_t)masses->model->n + 1 : 1;
    work w = {
        .masses = masses, .reduced = reduced, .loads = loads, .spin = motion->spin, .out = out};
    *out = (lmb_nodal_loads){.force = lmb_arena_alloc(arena, n, sizeof(vec3)),
                             .moment = lmb_arena_alloc(arena, n, sizeof(vec3))};
    w.linear = lmb_arena_alloc(arena, n, sizeof(vec3));
    w.angular = lmb_arena_alloc(arena, n, sizeof(vec3));
    w.turns = lmb_arena_alloc(arena, n, sizeof(bool));
    w.u = lmb_arena_numbers(arena, freedoms);
    w.f = lmb_arena_numbers(arena, freedoms);
    lmb_status status = lmb_check_memory(context, arena);
    if (status)
        return status;
    w.centre = reduced->centre;
    mark_turning(&w);
    add_rigid(&w, v3(0, 0, 0), motion->acceleration, motion->spin_rate);
    add_coriolis(&w, motion->mode_rates);
    add_modes(&w, motion->mode_accelerations);
    set_forces(&w);
    if (!balance(&w))
        return lmb_fail(context, LMB_BAD_INPUT,
                        "the body has no moment of inertia about one of its axes, so that no "
                        "inertia forces balance its loads");
    set_forces(&w);
    return LMB_OK;
}

/* --- supports --------------------------------------------------------------------------------- */

/* Return the wanted node farthest from a line through `from`, or from the point `from` if the line
 * has no direction. */
static int farthest(const lmb_mesh *mesh, const bool *wanted, vec3 from, vec3 along)
{
    int best = -1;
    double most = 0;
    for (int i = 0; i < mesh->node_count; i++) {
        vec3 arm = v3_sub(mesh->x[i], from);
        double away = v3_norm(v3_dot(along, along) > 0 ? v3_cross(along, arm) : arm);
        if (wanted[i] && away > most) {
            most = away;
            best = i;
        }
    }
    return best;
}

/* Choose the held directions of B (two) and C (one) that best prevent rotations about A: the volume
 * spanned by their moment arms is largest. */
static void choose_directions(lmb_support out[LMB_SUPPORTS], vec3 b, vec3 c)
{
    double best = -1;
    for (int k = 0; k < 9; k++) {
        int first = (k / 3 + 1) % 3, second = (k / 3 + 2) % 3, third = k % 3;
        vec3 u = v3_cross(b, v3_axis(first)), v = v3_cross(b, v3_axis(second));
        double volume = fabs(v3_dot(v3_cross(u, v), v3_cross(c, v3_axis(third))));
        if (volume <= best)
            continue;
        best = volume;
        out[3].direction = first;
        out[4].direction = second;
        out[5].direction = third;
    }
}

bool lmb_supports_choose(lmb_support out[LMB_SUPPORTS], const lmb_mesh *mesh, const bool *wanted)
{
    const vec3 none = v3(0, 0, 0);
    vec3 middle = none;
    int count = 0;
    for (int i = 0; i < mesh->node_count; i++)
        if (wanted[i]) {
            middle = v3_add(middle, mesh->x[i]);
            count++;
        }
    int a = count ? farthest(mesh, wanted, v3_scale(1.0 / count, middle), none) : -1;
    int b = a < 0 ? -1 : farthest(mesh, wanted, mesh->x[a], none);
    if (b < 0)
        return false;
    vec3 along = v3_sub(mesh->x[b], mesh->x[a]);
    double length = v3_norm(along);
    int c = farthest(mesh, wanted, mesh->x[a], v3_scale(1 / length, along));
    if (c < 0)
        return false;
    vec3 across = v3_sub(mesh->x[c], mesh->x[a]);
    if (v3_norm(v3_cross(along, across)) <= 1e-6 * length * length)
        return false;
    for (int i = 0; i < LMB_SUPPORTS; i++)
        out[i] = (lmb_support){i < 3 ? a : i < 5 ? b : c, i};
    choose_directions(out, along, across);
    return true;
}
