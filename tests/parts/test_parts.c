/* The clapper, the hub and the boom: whether their meshes are whole, weigh what they should, and
 * vibrate as the parts of the ride do. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "boom.h"
#include "clapper.h"
#include "fe/element.h"
#include "import/mesh_read.h"
#include "math/eigen.h"
#include "meshes.h"
#include "parts.h"
#include "program.h"
#include "reduction/reduced.h"
#include "support.h"

static const double density = 7850;

static lmb_mesh *solid(const part *p, lmb_element_kind kind, double size)
{
    lmb_context *context = lmb_context_new();
    lmb_mesh *mesh = NULL;
    assert_int_equal(p->solid(&mesh, context, kind, size), LMB_OK);
    lmb_context_free(context);
    return mesh;
}

static lmb_mesh *beams(const part *p, int elements)
{
    lmb_context *context = lmb_context_new();
    lmb_mesh *mesh = NULL;
    assert_int_equal(p->beams(&mesh, context, elements), LMB_OK);
    lmb_context_free(context);
    return mesh;
}

/* --- Wholeness --- */

/* Corners of the faces. */
static const int tet_faces[4][4] = {{0, 2, 1, -1}, {0, 1, 3, -1}, {1, 2, 3, -1}, {0, 3, 2, -1}};
static const int hex_faces[6][4] = {{0, 3, 2, 1}, {4, 5, 6, 7}, {0, 1, 5, 4},
                                    {1, 2, 6, 5}, {2, 3, 7, 6}, {3, 0, 4, 7}};

static int by_number(const void *a, const void *b)
{
    int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

static int by_nodes(const void *a, const void *b)
{
    return memcmp(a, b, 4 * sizeof(int));
}

/* Counts the faces of the surface; every other one must belong to exactly two elements. */
static int surface_faces(const lmb_mesh *mesh)
{
    int(*face)[4] = calloc((size_t)mesh->element_count * 6, sizeof *face), count = 0, outer = 0;
    for (int e = 0; e < mesh->element_count; e++) {
        const int *nodes = mesh->connections + mesh->elements[e].first;
        bool tet = mesh->elements[e].kind == LMB_TET10;
        for (int f = 0; f < (tet ? 4 : 6); f++) {
            const int *corner = tet ? tet_faces[f] : hex_faces[f];
            for (int i = 0; i < 4; i++)
                face[count][i] = corner[i] < 0 ? -1 : nodes[corner[i]];
            qsort(face[count++], 4, sizeof(int), by_number);
        }
    }
    qsort(face, (size_t)count, sizeof *face, by_nodes);
    for (int f = 0; f < count;) {
        int same = 1;
        while (f + same < count && by_nodes(face[f], face[f + same]) == 0)
            same++;
        assert_true(same <= 2);
        outer += same == 1;
        f += same;
    }
    free(face);
    return outer;
}

static int by_place(const void *a, const void *b)
{
    const vec3 *p = a, *q = b;
    return p->x != q->x ? (p->x > q->x) - (p->x < q->x) : (p->y > q->y) - (p->y < q->y);
}

/* No two nodes are at one place: none closer than a hundredth of the thinnest wall. */
static void check_nodes_differ(const lmb_mesh *mesh)
{
    vec3 *x = malloc((size_t)mesh->node_count * sizeof *x);
    memcpy(x, mesh->x, (size_t)mesh->node_count * sizeof *x);
    qsort(x, (size_t)mesh->node_count, sizeof *x, by_place);
    for (int i = 0; i < mesh->node_count; i++)
        for (int k = i + 1; k < mesh->node_count && x[k].x - x[i].x < 5e-5; k++)
            assert_true(v3_norm(v3_sub(x[k], x[i])) > 5e-5);
    free(x);
}

/* All nodes are used; elements are not inverted and not flat: the check of the program has nothing
 * to say. */
static void check_elements(const lmb_mesh *mesh)
{
    lmb_context *context = lmb_context_new();
    lmb_arena *arena = lmb_arena_new();
    bool *used = calloc((size_t)mesh->node_count, sizeof *used);
    assert_int_equal(lmb_mesh_check(mesh, lmb_element_tables_new(arena), context), LMB_OK);
    assert_int_equal(lmb_message_count(context), 0);
    for (int i = 0; i < mesh->connection_count; i++)
        used[mesh->connections[i]] = true;
    for (int i = 0; i < mesh->node_count; i++)
        assert_true(used[i]);
    free(used);
    lmb_arena_free(arena);
    lmb_context_free(context);
}

/* Cells meet corner to corner, so hexahedra conform if nodes are not doubled. Tetrahedra conform if
 * also the diagonals of the faces do: the surface then has two triangles a face of a cell, while
 * diagonals that cross would leave more. */
static void check_whole(const part *p, double size)
{
    static const lmb_element_kind kinds[] = {LMB_HEX8, LMB_HEX20, LMB_TET10};
    int faces[3];
    for (int i = 0; i < 3; i++) {
        lmb_mesh *mesh = solid(p, kinds[i], size);
        faces[i] = surface_faces(mesh);
        check_nodes_differ(mesh);
        check_elements(mesh);
        assert_int_equal(mesh->set_count, p->point_count);
        for (int k = 0; k < p->point_count; k++) {
            assert_non_null(lmb_mesh_set(mesh, p->points[k].name));
            assert_true(lmb_mesh_set(mesh, p->points[k].name)->count >= 4);
        }
        lmb_arena_free(mesh->arena);
    }
    assert_int_equal(faces[1], faces[0]);
    assert_int_equal(faces[2], 2 * faces[0]);
}

static void test_whole(void **state)
{
    (void)state;
    check_whole(&part_clapper, 0.25);
    check_whole(&part_clapper, 0.15);
    check_whole(&part_hub, 0.16);
    check_whole(&part_hub, 0.12);
    check_whole(&part_boom, 0.12);
    check_whole(&part_boom, 0.1);
}

/* The same words give the same mesh; finer cells give more of it, coarser ones never less than the
 * shape needs. */
static void test_sizes(void **state)
{
    (void)state;
    const part *parts[] = {&part_clapper, &part_hub, &part_boom};
    for (int i = 0; i < 3; i++) {
        lmb_mesh *a = solid(parts[i], LMB_TET10, 0.2), *b = solid(parts[i], LMB_TET10, 0.2),
                 *fine = solid(parts[i], LMB_TET10, 0.1), *coarse = solid(parts[i], LMB_TET10, 99);
        assert_int_equal(a->node_count, b->node_count);
        assert_memory_equal(a->x, b->x, (size_t)a->node_count * sizeof *a->x);
        assert_memory_equal(a->connections, b->connections,
                            (size_t)a->connection_count * sizeof *a->connections);
        assert_true(fine->node_count > a->node_count && a->node_count > coarse->node_count);
        assert_int_equal(surface_faces(coarse) % 2, 0);
        lmb_arena_free(a->arena);
        lmb_arena_free(b->arena);
        lmb_arena_free(fine->arena);
        lmb_arena_free(coarse->arena);
    }
    lmb_context *context = lmb_context_new();
    lmb_mesh *none = NULL;
    assert_int_equal(part_hub.solid(&none, context, LMB_TET10, 0), LMB_BAD_INPUT);
    assert_int_equal(part_hub.solid(&none, context, LMB_BEAM, 0.1), LMB_BAD_INPUT);
    lmb_context_free(context);
}

/* --- Inertia --- */

typedef struct inertia {
    double mass, Ixx, Iyy, Izz, Ixy, Iyz, Izx; /* about the centre */
    vec3 centre;
} inertia;

/* u^T M v of two rigid motions: translations 0 to 2, rotations about the origin 3 to 5. */
static double product(const lmb_fe_model *model, int a, int b)
{
    double *u[2], *mv = calloc((size_t)model->n, sizeof *mv), sum = 0;
    int motion[2] = {a, b};
    for (int k = 0; k < 2; k++) {
        u[k] = calloc((size_t)model->n, sizeof *u[k]);
        for (int i = 0; i < model->n; i++) {
            int d = model->direction[i], m = motion[k];
            vec3 axis = v3(m == 3, m == 4, m == 5);
            if (m >= 3 && d < 3)
                u[k][i] = v3_get(v3_cross(axis, model->x[model->node[i]]), d);
            else
                u[k][i] = d == m;
        }
    }
    lmb_symmetric_multiply(&model->M, u[1], mv);
    for (int i = 0; i < model->n; i++)
        sum += u[0][i] * mv[i];
    free(u[0]);
    free(u[1]);
    free(mv);
    return sum;
}

static inertia inertia_of(const lmb_mesh *mesh)
{
    lmb_fe_model *model = model_of(mesh);
    double m = product(model, 0, 0);
    vec3 c = v3(product(model, 1, 5) / m, product(model, 2, 3) / m, product(model, 0, 4) / m);
    inertia out = {.mass = m,
                   .centre = c,
                   .Ixx = product(model, 3, 3) - m * (c.y * c.y + c.z * c.z),
                   .Iyy = product(model, 4, 4) - m * (c.x * c.x + c.z * c.z),
                   .Izz = product(model, 5, 5) - m * (c.x * c.x + c.y * c.y),
                   .Ixy = product(model, 3, 4) + m * c.x * c.y,
                   .Iyz = product(model, 4, 5) + m * c.y * c.z,
                   .Izx = product(model, 5, 3) + m * c.z * c.x};
    lmb_arena_free(model->arena);
    return out;
}

/* Adds a ring between polygons, its middle at z: A = n t a^2 and I = n t (3 + t^2) a^4 / 12 with
 * t = tan(pi / n). */
static void add_ring(inertia *to, double in, double out, double depth, double z)
{
    double t = tan(LMB_PI / CLAPPER_SIDES), nt = CLAPPER_SIDES * t;
    double m = density * depth * nt * (out * out - in * in);
    double I = density * depth * nt * (3 + t * t) / 12 * (pow(out, 4) - pow(in, 4));
    to->mass += m;
    to->Izz += 2 * I;
    to->Ixx += I + m * (z * z + depth * depth / 12);
}

/* Adds the gussets of both ends by Simpson's rule along the tube, exact up to third powers; the
 * fourth power of r - r0 is left to 100 pieces. */
static void add_gussets(inertia *to)
{
    enum { PIECES = 200 };
    double w = CLAPPER_GUSSET_WALL, in = CLAPPER_TUBE;
    for (int i = 0; i <= PIECES; i++) {
        double t = (double)i / PIECES, weight = i == 0 || i == PIECES ? 1 : i % 2 ? 4 : 2;
        double out = (1 - t) * CLAPPER_FLANGE + t * (CLAPPER_TUBE + CLAPPER_GUSSET_TIP);
        double dm = 2 * CLAPPER_GUSSETS * density * w * weight / 3 * CLAPPER_GUSSET / PIECES;
        double z = CLAPPER_LENGTH / 2 - CLAPPER_FLANGE_DEPTH - t * CLAPPER_GUSSET;
        double polar = (pow(out, 3) - pow(in, 3)) / 3 + (out - in) * w * w / 12;
        to->mass += dm * (out - in);
        to->Izz += dm * polar;
        to->Ixx += dm * (polar / 2 + (out - in) * z * z);
    }
}

/* The clapper is made of plane pieces, which all kinds of elements integrate exactly: only rounding
 * and Simpson's rule remain. */
static void test_clapper_inertia(void **state)
{
    (void)state;
    static const lmb_element_kind kinds[] = {LMB_HEX8, LMB_HEX20, LMB_TET10};
    inertia exact = {0};
    double in = CLAPPER_TUBE - CLAPPER_WALL, flange = (CLAPPER_LENGTH - CLAPPER_FLANGE_DEPTH) / 2;
    double foot = CLAPPER_FLANGE_DEPTH + CLAPPER_GUSSET;
    double pitch = (CLAPPER_LENGTH - 2 * foot + CLAPPER_RIB_DEPTH) / (CLAPPER_RIBS + 1);
    add_ring(&exact, CLAPPER_RIB, CLAPPER_FLANGE, CLAPPER_FLANGE_DEPTH, flange);
    add_ring(&exact, CLAPPER_RIB, CLAPPER_FLANGE, CLAPPER_FLANGE_DEPTH, -flange);
    add_ring(&exact, in, CLAPPER_TUBE, CLAPPER_LENGTH - 2 * CLAPPER_FLANGE_DEPTH, 0);
    double tube = exact.mass;
    for (int i = 1; i <= CLAPPER_RIBS; i++)
        add_ring(&exact, CLAPPER_RIB, in, CLAPPER_RIB_DEPTH,
                 (i - 0.5 * (CLAPPER_RIBS + 1)) * pitch);
    add_gussets(&exact);
    for (int i = 0; i < 3; i++) {
        lmb_mesh *mesh = solid(&part_clapper, kinds[i], 0.25);
        inertia is = inertia_of(mesh);
        assert_close(is.mass / exact.mass, 1, 1e-9);
        assert_close(is.Ixx / exact.Ixx, 1, 1e-9);
        assert_close(is.Iyy / exact.Ixx, 1, 1e-9);
        assert_close(is.Izz / exact.Izz, 1, 1e-9);
        assert_close(is.centre.z, -CLAPPER_LENGTH / 2, 1e-9);
        assert_close(hypot(is.centre.x, is.centre.y), 0, 1e-9);
        assert_close((fabs(is.Ixy) + fabs(is.Iyz) + fabs(is.Izx)) / exact.Ixx, 0, 1e-9);
        lmb_arena_free(mesh->arena);
    }
    /* 1200 kg in all: about 800 in the tube and its ribs, 200 at each end */
    assert_close(exact.mass / 1200, 1, 0.005);
    double ends = 2 * density * CLAPPER_FLANGE_DEPTH * CLAPPER_SIDES * tan(LMB_PI / CLAPPER_SIDES) *
                  (pow(CLAPPER_FLANGE, 2) - pow(CLAPPER_RIB, 2));
    assert_close((tube - ends) / 800, 1, 0.05);
    assert_close(ends / 400, 1, 0.05);
}

/* The hub has six equal arms: no products of inertia, and one moment about all axes across. */
static void test_hub_inertia(void **state)
{
    (void)state;
    static const lmb_element_kind kinds[] = {LMB_HEX8, LMB_TET10};
    for (int i = 0; i < 2; i++) {
        lmb_mesh *mesh = solid(&part_hub, kinds[i], 0.2);
        inertia is = inertia_of(mesh);
        assert_close(is.mass / 5000, 1, 0.005);
        assert_close(v3_norm(is.centre), 0, 1e-9);
        assert_close(is.Ixx / is.Iyy, 1, 1e-9);
        assert_close((fabs(is.Ixy) + fabs(is.Iyz) + fabs(is.Izx)) / is.Izz, 0, 1e-9);
        lmb_arena_free(mesh->arena);
    }
}

/* The volume of a length of the boom between heights, by Simpson's rule, which is exact for plane
 * plates: its walls, or what a bulkhead fills inside them but for the hole, a quarter of it. */
static double boom_volume(double from, double to, double height_from, double height_to, bool walls)
{
    double sum = 0;
    for (int i = 0; i <= 2; i++) {
        double x = from + i * (to - from) / 2,
               z = (height_from + i * (height_to - height_from) / 2) / 2;
        double y = 0.5 * (BOOM_WIDTH + x / BOOM_LENGTH * (BOOM_HEAD_WIDTH - BOOM_WIDTH));
        double inside = 4 * (y - BOOM_WALL) * (z - BOOM_WALL);
        sum += (i == 1 ? 4 : 1) * (walls ? 4 * y * z - inside : 0.75 * inside);
    }
    return sum * (to - from) / 6;
}

/* The boom has plane plates, which all kinds of elements integrate exactly; it is the same on both
 * sides. */
static void test_boom_inertia(void **state)
{
    (void)state;
    static const lmb_element_kind kinds[] = {LMB_HEX8, LMB_HEX20, LMB_TET10};
    double from = BOOM_RAM - BOOM_RAM_LENGTH / 2, to = BOOM_RAM + BOOM_RAM_LENGTH / 2;
    double up = (BOOM_WAIST - BOOM_FOOT) / from,
           down = (BOOM_HEAD - BOOM_WAIST) / (BOOM_LENGTH - to);
    double exact = boom_volume(0, from, BOOM_FOOT, BOOM_WAIST, true) +
                   boom_volume(from, to, BOOM_WAIST, BOOM_WAIST, true) +
                   boom_volume(to, BOOM_LENGTH, BOOM_WAIST, BOOM_HEAD, true);
    exact += boom_volume(0, BOOM_PLATE, BOOM_FOOT, BOOM_FOOT + up * BOOM_PLATE, false) +
             boom_volume(BOOM_LENGTH - BOOM_PLATE, BOOM_LENGTH, BOOM_HEAD - down * BOOM_PLATE,
                         BOOM_HEAD, false);
    const double before[] = {2, from - BOOM_RIB}, after[] = {to, 6.6, 9.2};
    for (int i = 0; i < 2; i++)
        exact += boom_volume(before[i], before[i] + BOOM_RIB, BOOM_FOOT + up * before[i],
                             BOOM_FOOT + up * (before[i] + BOOM_RIB), false);
    for (int i = 0; i < 3; i++)
        exact += boom_volume(after[i], after[i] + BOOM_RIB, BOOM_WAIST + down * (after[i] - to),
                             BOOM_WAIST + down * (after[i] + BOOM_RIB - to), false);
    for (int i = 0; i < 3; i++) {
        lmb_mesh *mesh = solid(&part_boom, kinds[i], 0.3);
        inertia is = inertia_of(mesh);
        assert_close(is.mass / (density * exact), 1, 1e-9);
        assert_close(hypot(is.centre.y, is.centre.z), 0, 1e-9);
        assert_close((fabs(is.Ixy) + fabs(is.Iyz) + fabs(is.Izx)) / is.Iyy, 0, 1e-9);
        lmb_arena_free(mesh->arena);
    }
}

/* Quick models have the inertia of the solids: what differs is what ribs, gussets and the inside of
 * the drum are simplified to. */
static void test_beam_inertia(void **state)
{
    (void)state;
    const part *parts[] = {&part_clapper, &part_hub};
    for (int i = 0; i < 2; i++) {
        lmb_mesh *a = solid(parts[i], LMB_HEX8, 0.1), *b = beams(parts[i], 12);
        inertia exact = inertia_of(a), is = inertia_of(b);
        assert_close(is.mass / exact.mass, 1, 0.02);
        assert_close(v3_norm(v3_sub(is.centre, exact.centre)), 0, 1e-9);
        assert_close(is.Ixx / exact.Ixx, 1, 0.02);
        assert_close(is.Izz / exact.Izz, 1, 0.02);
        lmb_arena_free(a->arena);
        lmb_arena_free(b->arena);
    }
}

/* --- Vibration --- */

enum { MODES_MAX = 48 };

typedef struct vibration {
    lmb_fe_model *model;
    lmb_eigen modes; /* six rigid ones first */
    double hz[MODES_MAX];
    double *mass; /* of each node */
} vibration;

static vibration vibrate(const lmb_mesh *mesh, int elastic)
{
    vibration v = {.model = model_of(mesh)};
    lmb_context *context = lmb_context_new();
    lmb_eigen_options options = {.count = elastic + 6, .group = v.model->node};
    assert_int_equal(
        lmb_eigen_solve(&v.modes, context, v.model->arena, &v.model->K, &v.model->M, &options),
        LMB_OK);
    assert_int_equal(v.modes.count, elastic + 6);
    assert_int_equal(v.modes.rigid, 6);
    for (int k = 0; k < elastic; k++)
        v.hz[k] = sqrt(v.modes.value[k + 6]) / (2 * LMB_PI);
    double *one = calloc((size_t)v.model->n, sizeof *one), *m = calloc((size_t)v.model->n, 8);
    for (int i = 0; i < v.model->n; i++)
        one[i] = v.model->direction[i] == LMB_UX;
    lmb_symmetric_multiply(&v.model->M, one, m);
    v.mass = calloc((size_t)v.model->node_count, sizeof *v.mass);
    for (int i = 0; i < v.model->n; i++)
        if (one[i] > 0)
            v.mass[v.model->node[i]] = m[i];
    free(one);
    free(m);
    lmb_context_free(context);
    return v;
}

static void drop(vibration *v)
{
    lmb_arena_free(v->model->arena);
    free(v->mass);
}

/* The clapper and the hub in hexahedra of eight nodes, which several tests look at. */
typedef struct known_part {
    const part *part;
    double size;
    int elastic;
    lmb_mesh *mesh;
    vibration vibration;
} known_part;

static known_part known[] = {{.part = &part_clapper, .size = 0.25, .elastic = 16},
                             {.part = &part_hub, .size = 0.2, .elastic = 10}};

static const known_part *known_of(const part *p)
{
    known_part *k = known;
    while (k->part != p)
        k++;
    if (!k->mesh) {
        k->mesh = solid(p, LMB_HEX8, k->size);
        k->vibration = vibrate(k->mesh, k->elastic);
    }
    return k;
}

static int forget_known(void **unused)
{
    (void)unused;
    for (int i = 0; i < 2; i++)
        if (known[i].mesh) {
            drop(&known[i].vibration);
            lmb_arena_free(known[i].mesh->arena);
        }
    return 0;
}

/* The displacement of a node in an elastic mode. */
static vec3 moved(const vibration *v, int mode, int node)
{
    const double *u = v->modes.vector + (size_t)(mode + 6) * (size_t)v->model->n;
    const int *dof = v->model->dof[node];
    return v3(u[dof[LMB_UX]], u[dof[LMB_UY]], u[dof[LMB_UZ]]);
}

/* What part of the motion is that of the section at each height as a piece, which remains of a mode
 * of the wall between: along x and y, along z, and about z. */
typedef struct share {
    double across, along, twist;
} share;

static share share_of(const vibration *v, int mode)
{
    enum { SLICES = 8192 };
    const lmb_fe_model *model = v->model;
    struct slice {
        double m, polar, twist;
        vec3 p;
    } *slices = calloc(SLICES, sizeof *slices);
    double total = 0;
    for (int i = 0; i < model->node_count; i++) {
        vec3 x = model->x[i], u = moved(v, mode, i);
        struct slice *s = &slices[(int)(-x.z * 1000 + 0.5)];
        s->m += v->mass[i];
        s->p = v3_axpy(s->p, v->mass[i], u);
        s->twist += v->mass[i] * (x.x * u.y - x.y * u.x);
        s->polar += v->mass[i] * (x.x * x.x + x.y * x.y);
        total += v->mass[i] * v3_dot(u, u);
    }
    share out = {0};
    for (int i = 0; i < SLICES; i++)
        if (slices[i].m > 0) {
            vec3 p = slices[i].p;
            out.across += (p.x * p.x + p.y * p.y) / slices[i].m / total;
            out.along += p.z * p.z / slices[i].m / total;
            out.twist += slices[i].twist * slices[i].twist / slices[i].polar / total;
        }
    free(slices);
    return out;
}

/* First and second bending about both axes, torsion, stretching; between them are modes of the
 * wall, which leave the ends at rest. */
static void test_clapper_modes(void **state)
{
    (void)state;
    lmb_mesh *quick = beams(&part_clapper, 30);
    vibration v = known_of(&part_clapper)->vibration, b = vibrate(quick, 6);
    double bending[8], torsion[4], axial[4];
    int bendings = 0, torsions = 0, axials = 0;
    for (int k = 0; k < 16; k++) {
        share s = share_of(&v, k);
        if (s.across > 0.8 && bendings < 8)
            bending[bendings++] = v.hz[k];
        else if (s.twist > 0.9 && torsions < 4)
            torsion[torsions++] = v.hz[k];
        else if (s.along > 0.9 && axials < 4)
            axial[axials++] = v.hz[k];
        else /* a mode of the wall */
            assert_true(s.across + s.along + s.twist < 0.1);
    }
    assert_true(bendings >= 4 && torsions >= 1 && axials >= 1);
    assert_close(bending[0] / 41, 1, 0.01);
    assert_close(axial[0] / 222, 1, 0.01);
    assert_true(bending[3] < axial[0] && torsion[0] < axial[0] && bending[0] < torsion[0]);

    /* the section is the same about all axes */
    assert_close(bending[1] / bending[0], 1, 1e-6);
    assert_close(bending[3] / bending[2], 1, 1e-6);

    /* beams know nothing of gussets' stiffness and of sections that change their shape */
    double six[6] = {bending[0], bending[1], bending[2], bending[3], torsion[0], axial[0]};
    for (int k = 0; k < 6; k++)
        assert_close(b.hz[k] / six[k], 1, 0.02);
    drop(&b);
    lmb_arena_free(quick->arena);
}

/* Parts of a motion in and across the plane of the arms. */
static double vertical_share(const vibration *v, int mode)
{
    double total = 0, vertical = 0;
    for (int i = 0; i < v->model->node_count; i++) {
        vec3 u = moved(v, mode, i);
        total += v->mass[i] * v3_dot(u, u);
        vertical += v->mass[i] * u.z * u.z;
    }
    return vertical / total;
}

/* Five modes sideways near 6 Hz, then four up and down near 9 Hz, then for a while none. Arms that
 * do not move the drum have exactly one frequency in theory, but the drum is not quite stiff. */
static void test_hub_modes(void **state)
{
    (void)state;
    lmb_mesh *quick = beams(&part_hub, 12);
    vibration v = known_of(&part_hub)->vibration, b = vibrate(quick, 10);
    for (int k = 0; k < 5; k++) {
        assert_close(v.hz[k] / 6, 1, 0.1);
        assert_true(vertical_share(&v, k) < 1e-6);
    }
    for (int k = 5; k < 9; k++) {
        assert_close(v.hz[k] / 9, 1, 0.12);
        assert_true(vertical_share(&v, k) > 0.99);
    }
    assert_true(v.hz[9] > 14);
    for (int k = 0; k < 9; k++)
        assert_close(b.hz[k] / v.hz[k], 1, 0.02);
    drop(&b);
    lmb_arena_free(quick->arena);
}

/* Tetrahedra and hexahedra with middle nodes, of twice the size, agree with those without: all have
 * converged to half a percent or so. */
static void check_agree(const part *p, lmb_element_kind kind, int count)
{
    const known_part *hex = known_of(p);
    lmb_mesh *other = solid(p, kind, 2 * hex->size);
    vibration b = vibrate(other, count);
    for (int k = 0; k < count; k++)
        assert_close(b.hz[k] / hex->vibration.hz[k], 1, 0.006);
    drop(&b);
    lmb_arena_free(other->arena);
}

static void test_kinds_agree(void **state)
{
    (void)state;
    check_agree(&part_clapper, LMB_TET10, 5);
    check_agree(&part_hub, LMB_HEX20, 9);
}

/* --- Files --- */

/* What is written for Gmsh is read again: nodes to the digits of the file, elements and sets as
 * they were. */
static void check_file(const part *p, lmb_element_kind kind)
{
    const char *path = scratch_path("part.msh");
    lmb_context *context = lmb_context_new();
    lmb_arena *arena = lmb_arena_new();
    lmb_mesh *made = solid(p, kind, 0.3), *read = NULL;
    assert_int_equal(part_write(made, p->name, path, context), LMB_OK);
    assert_int_equal(lmb_mesh_read(&read, context, arena, path, lmb_unit_systems), LMB_OK);
    assert_int_equal(read->node_count, made->node_count);
    assert_int_equal(read->element_count, made->element_count);
    assert_int_equal(read->connection_count, made->connection_count);
    for (int i = 0; i < made->node_count; i++)
        assert_true(v3_norm(v3_sub(read->x[i], made->x[i])) < 1e-11);
    for (int i = 0; i < made->element_count; i++)
        assert_int_equal(read->elements[i].kind, kind);
    assert_memory_equal(read->connections, made->connections,
                        (size_t)made->connection_count * sizeof *made->connections);
    for (int k = 0; k < made->set_count; k++) {
        const lmb_node_set *a = &made->sets[k], *b = lmb_mesh_set(read, a->name);
        assert_non_null(b);
        assert_int_equal(a->count, b->count);
        qsort(a->nodes, (size_t)a->count, sizeof *a->nodes, by_number);
        qsort(b->nodes, (size_t)b->count, sizeof *b->nodes, by_number);
        assert_memory_equal(a->nodes, b->nodes, (size_t)a->count * sizeof *a->nodes);
    }
    assert_int_equal(lmb_mesh_set(read, p->name)->count, made->node_count);
    remove(path);
    lmb_arena_free(made->arena);
    lmb_arena_free(arena);
    lmb_context_free(context);
}

static void test_files(void **state)
{
    (void)state;
    for (int kind = LMB_TET4; kind <= LMB_HEX20; kind++) {
        check_file(&part_clapper, (lmb_element_kind)kind);
        check_file(&part_hub, (lmb_element_kind)kind);
    }
    lmb_context *context = lmb_context_new();
    lmb_mesh *mesh = solid(&part_hub, LMB_HEX8, 1);
    assert_int_equal(part_write(mesh, "hub", "no/such/folder/hub.msh", context), LMB_IO);
    assert_message(context, "no/such/folder/hub.msh");
    lmb_arena_free(mesh->arena);
    lmb_context_free(context);
}

/* The meshes of the examples are those that the parts give. */
static void test_examples(void **state)
{
    (void)state;
    static const struct {
        const part *part;
        const char *path;
    } examples[] = {{&part_clapper, "examples/clapper/clapper.msh"},
                    {&part_hub, "examples/hub/hub.msh"}};
    lmb_context *context = lmb_context_new();
    lmb_arena *arena = lmb_arena_new();
    for (int i = 0; i < 2; i++) {
        lmb_mesh *made = solid(examples[i].part, LMB_HEX20, 0.25), *read = NULL;
        assert_int_equal(lmb_mesh_read(&read, context, arena, examples[i].path, lmb_unit_systems),
                         LMB_OK);
        assert_int_equal(read->node_count, made->node_count);
        assert_int_equal(read->connection_count, made->connection_count);
        for (int k = 0; k < made->node_count; k++)
            assert_true(v3_norm(v3_sub(read->x[k], made->x[k])) < 1e-11);
        assert_memory_equal(read->connections, made->connections,
                            (size_t)made->connection_count * sizeof *made->connections);
        lmb_arena_free(made->arena);
    }
    lmb_arena_free(arena);
    lmb_context_free(context);
}

/* --- Reduction --- */

static lmb_reduced *reduced(const part *p, const lmb_mesh *mesh, lmb_fe_model *model, int modes)
{
    lmb_context *context = lmb_context_new();
    lmb_interface points[PART_POINTS_MAX];
    lmb_reduction options = {.fixed = {.number = modes}};
    lmb_reduced *body = NULL;
    for (int i = 0; i < p->point_count; i++) {
        const lmb_node_set *set = lmb_mesh_set(mesh, p->points[i].name);
        points[i] = (lmb_interface){.name = set->name,
                                    .position = p->points[i].position,
                                    .tie = LMB_TIE_RIGID,
                                    .nodes = set->nodes,
                                    .count = set->count};
    }
    assert_int_equal(lmb_reduce(&body, context, model, points, p->point_count, &options), LMB_OK);
    assert_int_equal(lmb_message_count(context), 0);
    lmb_context_free(context);
    return body;
}

/* Without fixed-interface modes the clapper has 12 coordinates, six of them elastic: the six modes
 * of the whole part, none of the wall. Each richer basis lowers them, but never below those of the
 * free mesh, whose flanges are not quite stiff. With 20 modes most are of the wall, and torsion is
 * still Guyan's; with 60 all are close. */
static void test_clapper_reduced(void **state)
{
    (void)state;
    const lmb_mesh *mesh = known_of(&part_clapper)->mesh;
    vibration v = known_of(&part_clapper)->vibration;
    lmb_reduced *guyan = reduced(&part_clapper, mesh, v.model, 0);
    lmb_reduced *body = reduced(&part_clapper, mesh, v.model, 60);
    assert_int_equal(guyan->mode_count, 6);
    assert_int_equal(body->mode_count, 66);
    for (int k = 0; k < 5; k++) {
        assert_true(guyan->frequency[k] >= body->frequency[k] * (1 - 1e-9));
        assert_true(body->frequency[k] >= v.hz[k] * (1 - 1e-9));
        assert_close(body->frequency[k] / v.hz[k], 1, 0.002);
    }
    assert_close(guyan->frequency[0] / 41, 1, 0.15);
    assert_close(guyan->frequency[5] / 222, 1, 0.03);
    lmb_reduced_free(guyan);
    lmb_reduced_free(body);
}

/* The hub as it will move: seven points, 20 modes; nine modes are kept. */
static void test_hub_reduced(void **state)
{
    (void)state;
    const lmb_mesh *mesh = known_of(&part_hub)->mesh;
    vibration v = known_of(&part_hub)->vibration;
    lmb_reduced *body = reduced(&part_hub, mesh, v.model, 18); /* 19 to 24 are alike */
    assert_int_equal(body->mode_count, 7 * 6 - 6 + 18);
    for (int k = 0; k < 9; k++) {
        assert_true(body->frequency[k] >= v.hz[k] * (1 - 1e-9));
        assert_close(body->frequency[k] / (k < 5 ? 6 : 9), 1, k < 5 ? 0.1 : 0.12);
    }
    assert_true(body->frequency[9] > 14);
    lmb_reduced_free(body);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_whole),           cmocka_unit_test(test_sizes),
        cmocka_unit_test(test_clapper_inertia), cmocka_unit_test(test_hub_inertia),
        cmocka_unit_test(test_boom_inertia),    cmocka_unit_test(test_beam_inertia),
        cmocka_unit_test(test_clapper_modes),   cmocka_unit_test(test_hub_modes),
        cmocka_unit_test(test_kinds_agree),     cmocka_unit_test(test_files),
        cmocka_unit_test(test_examples),        cmocka_unit_test(test_clapper_reduced),
        cmocka_unit_test(test_hub_reduced),
    };
    return cmocka_run_group_tests(tests, NULL, forget_known);
}
