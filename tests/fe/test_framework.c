/* Frameworks of beams: closed forms of frames, a grillage by a matrix analysis of its own, a
 * straight one against a beam.
 *
 * Elements without shear are exact for loads at nodes, so one or several of them in a span give the
 * closed forms up to rounding: about 1e-16 times the ratio of the stiffnesses in it. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "fe/framework.h"
#include "meshes.h"
#include "support.h"

enum { MOST = 12 };

static const lmb_material steel = {"steel", 210e9, 0.3, 7850, true};
static const double G = 210e9 / 2.6;

static lmb_section section_of(double A, double I, double J)
{
    return (lmb_section){.name = "given", .A = A, .Iy = I, .Iz = I, .J = J};
}

/* A framework of members between two or more nodes; lists of nodes end with -1. */
typedef struct described {
    int dimension, nodes, members, elements;
    vec3 points[MOST];
    int paths[MOST][MOST];
    lmb_section sections[MOST];
} described;

static lmb_mesh *mesh_of(described *d)
{
    static const char *names[MOST] = {"A", "B", "C", "D", "E", "F", "G", "H", "I", "J", "K", "L"};
    static const char *const called[MOST] = {"m0", "m1", "m2", "m3", "m4", "m5",
                                             "m6", "m7", "m8", "m9", "ma", "mb"};
    lmb_framework_member members[MOST];
    lmb_framework f = {"frame", d->dimension, d->points, names, d->nodes, members, d->members};
    for (int i = 0; i < d->members; i++) {
        members[i] =
            (lmb_framework_member){called[i], d->paths[i], 0, d->elements, d->sections[i], steel};
        while (members[i].node_count < MOST && d->paths[i][members[i].node_count] >= 0)
            members[i].node_count++;
    }
    lmb_context *context = lmb_context_new();
    lmb_mesh *mesh;
    assert_int_equal(lmb_framework_mesh(&mesh, context, &f), LMB_OK);
    lmb_context_free(context);
    return mesh;
}

/* Holds some nodes of the framework, loads others, and solves. */
typedef struct solved {
    lmb_mesh *mesh;
    lmb_fe_model *model;
    bool *fixed;
    double *f, *u;
} solved;

static solved start(described *d)
{
    solved s = {.mesh = mesh_of(d)};
    s.model = model_of(s.mesh);
    size_t n = (size_t)s.model->n;
    s.fixed = calloc(n, sizeof *s.fixed);
    s.f = calloc(n, sizeof *s.f);
    s.u = calloc(n, sizeof *s.u);
    return s;
}

static void clamp(solved *s, int node)
{
    for (int k = 0; k < LMB_DIRECTIONS; k++)
        if (s->model->dof[node][k] >= 0)
            s->fixed[s->model->dof[node][k]] = true;
}

static double moved(const solved *s, int node, int direction)
{
    return s->u[s->model->dof[node][direction]];
}

static void end(solved *s)
{
    free(s->fixed);
    free(s->f);
    free(s->u);
    lmb_arena_free(s->model->arena);
    lmb_arena_free(s->mesh->arena);
}

/* --- the mesh --------------------------------------------------------------------------------- */

/* Nodes of the framework come first; those of a member are a set in their order. */
static void nodes_and_sets(void **unused)
{
    (void)unused;
    described d = {.dimension = 2,
                   .nodes = 4,
                   .members = 2,
                   .elements = 2,
                   .points = {{0, 0, 0}, {2, 0, 0}, {2, 1, 0}, {0, 1, 0}},
                   .paths = {{0, 1, 2, 0, -1}, {2, 3, -1}},
                   .sections = {section_of(1e-4, 1e-9, 2e-9), section_of(2e-4, 1e-9, 2e-9)}};
    lmb_mesh *m = mesh_of(&d);
    assert_int_equal(m->node_count, 4 + 4);
    assert_int_equal(m->element_count, 8);
    assert_int_equal(m->set_count, 6);
    assert_int_equal(lmb_mesh_set(m, "C")->count, 1);
    assert_int_equal(lmb_mesh_set(m, "C")->nodes[0], 2);
    static const int ring[] = {0, 4, 1, 5, 2, 6, 0};
    const lmb_node_set *set = lmb_mesh_set(m, "m0");
    assert_int_equal(set->count, 7);
    assert_memory_equal(set->nodes, ring, sizeof ring);
    assert_close(m->x[4].x, 1, 0);
    assert_close(m->x[6].y, 0.5, 1e-15);
    assert_int_equal(m->elements[7].section, 1);
    assert_close(m->sections[1].A, 2e-4, 0);
    lmb_arena_free(m->arena);
}

static void parts_are_found(void **unused)
{
    (void)unused;
    int a[] = {4, 1}, b[] = {0, 2}, c[] = {3, 4}, e[] = {1, 2}, part[6];
    lmb_framework_member members[] = {{.nodes = a, .node_count = 2},
                                      {.nodes = b, .node_count = 2},
                                      {.nodes = c, .node_count = 2},
                                      {.nodes = e, .node_count = 2}};
    lmb_framework f = {.node_count = 6, .members = members, .member_count = 3};
    assert_int_equal(lmb_framework_parts(&f, part), 3);
    static const int apart[] = {0, 1, 0, 1, 1, 2};
    assert_memory_equal(part, apart, sizeof apart);
    f.member_count = 4;
    assert_int_equal(lmb_framework_parts(&f, part), 2);
}

/* --- closed forms ----------------------------------------------------------------------------- */

/* A portal with clamped feet pushed sideways: k = 24 E Ic / h^3 (6 r + 1) / (6 r + 4), with
 * r = (Ib / l) / (Ic / h), for members that do not stretch. Stretching columns add about Ic / (A
 * h^2) of it, 2e-7 here. */
static void portal_sways(void **unused)
{
    (void)unused;
    const double h = 3, l = 4, Ic = 2e-6, Ib = 5e-6, A = 1;
    for (int elements = 1; elements <= 3; elements++) {
        described d = {
            .dimension = 2,
            .nodes = 4,
            .members = 3,
            .elements = elements,
            .points = {{0, 0, 0}, {0, h, 0}, {l, h, 0}, {l, 0, 0}},
            .paths = {{0, 1, -1}, {1, 2, -1}, {3, 2, -1}},
            .sections = {section_of(A, Ic, Ic), section_of(A, Ib, Ib), section_of(A, Ic, Ic)}};
        solved s = start(&d);
        clamp(&s, 0);
        clamp(&s, 3);
        s.f[s.model->dof[1][LMB_UX]] = s.f[s.model->dof[2][LMB_UX]] = 500;
        solve(s.model, s.fixed, s.f, s.u);
        double r = Ib / l / (Ic / h);
        double k = 24 * steel.E * Ic / (h * h * h) * (6 * r + 1) / (6 * r + 4);
        assert_close(moved(&s, 1, LMB_UX) * k / 1000, 1, 2e-6);
        assert_close(moved(&s, 2, LMB_UX) * k / 1000, 1, 2e-6);
        end(&s);
    }
}

/* Two legs that meet under a load do not turn where they meet: each resists with E A / L along it
 * and 12 E I / L^3 across it. */
static void legs_carry(void **unused)
{
    (void)unused;
    const double w = 0.6, h = 0.8, A = 3e-4, I = 4e-8, E = steel.E;
    described d = {.dimension = 2,
                   .nodes = 3,
                   .members = 2,
                   .elements = 2,
                   .points = {{-w, 0, 0}, {w, 0, 0}, {0, h, 0}},
                   .paths = {{0, 2, -1}, {2, 1, -1}},
                   .sections = {section_of(A, I, I), section_of(A, I, I)}};
    solved s = start(&d);
    clamp(&s, 0);
    clamp(&s, 1);
    s.f[s.model->dof[2][LMB_UY]] = -1000;
    solve(s.model, s.fixed, s.f, s.u);
    double k = 2 * (E * A * h * h + 12 * E * I * w * w); /* L = 1 */
    assert_close(-moved(&s, 2, LMB_UY) * k / 1000, 1, 1e-9);
    assert_close(moved(&s, 2, LMB_UX) * k / 1000, 0, 1e-9);
    end(&s);
}

/* A crank: the load at its end bends both legs and twists the first:
 * w = P a^3 / 3EI + P b^3 / 3EI + P b^2 a / GJ, in any direction in space. */
static void crank_twists(void **unused)
{
    (void)unused;
    const double a = 0.7, b = 0.4, A = 3e-4, I = 4e-8, J = 5e-8, P = 100;
    static const vec3 axes[3][3] = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
                                    {{0, 0, 1}, {1, 0, 0}, {0, 1, 0}},
                                    {{0.6, 0.8, 0}, {-0.48, 0.36, 0.8}, {0.64, -0.48, 0.6}}};
    for (int k = 0; k < 3; k++) {
        const vec3 *e = axes[k];
        vec3 B = v3_scale(a, e[0]), C = v3_axpy(B, b, e[1]);
        described d = {.dimension = 3,
                       .nodes = 3,
                       .members = 1,
                       .elements = 2,
                       .points = {{0, 0, 0}, B, C},
                       .paths = {{0, 1, 2, -1}},
                       .sections = {section_of(A, I, J)}};
        solved s = start(&d);
        clamp(&s, 0);
        for (int i = 0; i < 3; i++)
            s.f[s.model->dof[2][i]] = P * v3_get(e[2], i);
        solve(s.model, s.fixed, s.f, s.u);
        double w = 0, EI = steel.E * I;
        for (int i = 0; i < 3; i++)
            w += moved(&s, 2, LMB_UX + i) * v3_get(e[2], i);
        assert_close(w / (P * (pow(a, 3) + pow(b, 3)) / (3 * EI) + P * b * b * a / (G * J)), 1,
                     1e-9);
        end(&s);
    }
}

/* --- a ladder --------------------------------------------------------------------------------- */

enum { PAIRS = 6, UNKNOWNS = 6 * PAIRS };

/* Adds a beam of a grillage in the x-y plane to its stiffness: at each node the deflection w along
 * z and the rotations about x and y. For a beam along x with slope -theta_y:
 *   bending (w, theta_y): E I / L^3 (12, -6L; -6L, 4L^2), torsion (theta_x): G J / L;
 * along y the slope is theta_x, and torsion is about y. */
static void add_grill(double (*K)[UNKNOWNS], int a, int b, bool along_y, double L, double EI,
                      double GJ)
{
    double s = along_y ? 1 : -1; /* slope over rotation */
    int bend = along_y ? 1 : 2, twist = 3 - bend;
    const int at[4] = {3 * a, 3 * a + bend, 3 * b, 3 * b + bend};
    const double k[4][4] = {{12, 6 * L * s, -12, 6 * L * s},
                            {6 * L * s, 4 * L * L, -6 * L * s, 2 * L * L},
                            {-12, -6 * L * s, 12, -6 * L * s},
                            {6 * L * s, 2 * L * L, -6 * L * s, 4 * L * L}};
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++)
            K[at[i]][at[j]] += EI / (L * L * L) * k[i][j];
    const int turn[2] = {3 * a + twist, 3 * b + twist};
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++)
            K[turn[i]][turn[j]] += GJ / L * (i == j ? 1 : -1);
}

/* Gaussian elimination of a positive definite matrix. */
static void eliminate(double (*K)[UNKNOWNS], double *f)
{
    for (int p = 0; p < UNKNOWNS; p++)
        for (int i = p + 1; i < UNKNOWNS; i++) {
            double part = K[i][p] / K[p][p];
            for (int j = p; j < UNKNOWNS; j++)
                K[i][j] -= part * K[p][j];
            f[i] -= part * f[p];
        }
    for (int p = UNKNOWNS - 1; p >= 0; p--) {
        for (int j = p + 1; j < UNKNOWNS; j++)
            f[p] -= K[p][j] * f[j];
        f[p] /= K[p][p];
    }
}

static const double place[PAIRS] = {-1.9, -1.2, -0.4, 0.4, 1.2, 1.9};

/* A ladder held at three corners and loaded at the fourth, which twists it, against a matrix
 * analysis of the grillage. */
static void ladder_twists(void **unused)
{
    (void)unused;
    const double width = 0.8, P = 1000;
    const double I[2] = {7.77e-7, 1.87e-7}; /* rails, cross tubes; J = 2 I */
    double K[UNKNOWNS][UNKNOWNS] = {{0}}, w[UNKNOWNS] = {0};
    described d = {.dimension = 3, .nodes = 2 * PAIRS, .members = 2 + PAIRS, .elements = 3};
    for (int i = 0; i < PAIRS; i++) {
        d.points[i] = v3(place[i], width / 2, 0);
        d.points[PAIRS + i] = v3(place[i], -width / 2, 0);
        d.paths[0][i] = i;
        d.paths[1][i] = PAIRS + i;
        memcpy(d.paths[2 + i], (int[]){PAIRS + i, i, -1}, 3 * sizeof(int));
        d.sections[2 + i] = section_of(4.5e-4, I[1], 2 * I[1]);
        add_grill(K, PAIRS + i, i, true, width, steel.E * I[1], G * 2 * I[1]);
        for (int side = 0; side < 2 && i > 0; side++)
            add_grill(K, PAIRS * side + i - 1, PAIRS * side + i, false, place[i] - place[i - 1],
                      steel.E * I[0], G * 2 * I[0]);
    }
    for (int i = 0; i < 2; i++) {
        d.paths[i][PAIRS] = -1;
        d.sections[i] = section_of(8.2e-4, I[0], 2 * I[0]);
    }
    static const int held[] = {0, PAIRS, 2 * PAIRS - 1};
    for (int k = 0; k < 3; k++)
        for (int i = 0; i < UNKNOWNS; i++)
            K[3 * held[k]][i] = K[i][3 * held[k]] = i == 3 * held[k];
    w[3 * (PAIRS - 1)] = P;
    eliminate(K, w);
    solved s = start(&d);
    for (int k = 0; k < 3; k++)
        s.fixed[s.model->dof[held[k]][LMB_UZ]] = true;
    /* in its plane it is held where the grillage has no freedom */
    for (int k = 0; k < 2; k++)
        s.fixed[s.model->dof[k * PAIRS][LMB_UX]] = s.fixed[s.model->dof[0][LMB_UY]] = true;
    s.f[s.model->dof[PAIRS - 1][LMB_UZ]] = P;
    solve(s.model, s.fixed, s.f, s.u);
    double most = w[3 * (PAIRS - 1)];
    assert_true(most > 0);
    for (int i = 0; i < 2 * PAIRS; i++)
        for (int k = 0; k < 3; k++) {
            const int direction = (const int[]){LMB_UZ, LMB_RX, LMB_RY}[k];
            assert_close(moved(&s, i, direction) / most, w[3 * i + k] / most, 1e-9);
        }
    end(&s);
}

/* --- frequencies ------------------------------------------------------------------------------ */

/* A straight framework is a beam: the same frequencies, in the plane and in space, whatever the
 * order of the nodes. What is left is rounding of the eigenvalues, 1e-16 of the largest ones, which
 * are 1e6 times the lowest. */
static void straight_ones_are_beams(void **unused)
{
    (void)unused;
    lmb_context *context = lmb_context_new();
    for (int dimension = 2; dimension <= 3; dimension++) {
        lmb_section section = section_of(1e-4, 2e-9, 3e-9);
        section.Iy = 5e-9;
        section.shear_y = section.shear_z = 0.85;
        described d = {.dimension = dimension,
                       .nodes = 3,
                       .members = 2,
                       .elements = 4,
                       .points = {{0.5, 0, 0}, {0, 0, 0}, {1, 0, 0}},
                       .paths = {{1, 0, -1}, {0, 2, -1}},
                       .sections = {section, section}};
        const vec3 ends[] = {{0, 0, 0}, {1, 0, 0}};
        lmb_beam_line line = {.name = "beam",
                              .dimension = dimension,
                              .points = ends,
                              .point_count = 2,
                              .elements = 8,
                              .section = section,
                              .material = steel};
        lmb_mesh *beam, *frame = mesh_of(&d);
        assert_int_equal(lmb_beam_mesh(&beam, context, &line), LMB_OK);
        lmb_fe_model *a = model_of(frame), *b = model_of(beam);
        assert_int_equal(a->n, b->n);
        enum { COUNT = 12 };
        double fa[COUNT], fb[COUNT];
        bool *held = calloc((size_t)a->n, sizeof *held);
        for (int k = 0; k < LMB_DIRECTIONS; k++) { /* the start: node 1 of one, 0 of the other */
            if (a->dof[1][k] >= 0)
                held[a->dof[1][k]] = true;
        }
        frequencies(a, held, COUNT, fa, NULL);
        memset(held, 0, (size_t)a->n * sizeof *held);
        for (int k = 0; k < LMB_DIRECTIONS; k++)
            if (b->dof[0][k] >= 0)
                held[b->dof[0][k]] = true;
        frequencies(b, held, COUNT, fb, NULL);
        for (int i = 0; i < COUNT; i++)
            assert_close(fa[i] / fb[i], 1, 1e-9);
        free(held);
        lmb_arena_free(a->arena);
        lmb_arena_free(b->arena);
        lmb_arena_free(frame->arena);
        lmb_arena_free(beam->arena);
    }
    lmb_context_free(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nodes_and_sets),
        cmocka_unit_test(parts_are_found),
        cmocka_unit_test(portal_sways),
        cmocka_unit_test(legs_carry),
        cmocka_unit_test(crank_twists),
        cmocka_unit_test(ladder_twists),
        cmocka_unit_test(straight_ones_are_beams),
    };
    return cmocka_run_group_tests_name("frameworks", tests, NULL, NULL);
}
