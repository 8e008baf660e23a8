/* Flexible bodies of arrays: a free bar whose matrices are assembled here, against closed forms;
 * the same part through files and through arrays; elements; copies, variants, units; bad arrays. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bars.h"
#include "bodies/body.h"
#include "fe/fe_model.h"
#include "limber/limber.h"
#include "meshes.h"
#include "models.h"
#include "program.h"
#include "read/reader.h"
#include "reduction/body_data.h"
#include "support.h"
#include "system/model.h"

static const double pi = 3.14159265358979324;

/* --- a bar ------------------------------------------------------------------------------------ */

enum { ELEMENTS = 16, NODES = ELEMENTS + 1, ROWS = 6 * NODES, MOST = 3 * 36 * ROWS };

/* A sparse matrix with room. */
typedef struct matrix {
    int start[ROWS + 1], index[MOST];
    double value[MOST];
} matrix;

typedef struct beam {
    double x[3 * NODES];
    double K[ROWS][ROWS], M[ROWS][ROWS];
    matrix k, m;
    lmb_arrays arrays;
} beam;

static const double E = 2.1e11, G = 8e10, rho = 7800, L = 1.2, b = 0.02, h = 0.03;

/* Adds a matrix of 4 x 4 or 2 x 2 numbers to rows of an element. */
static void add(double to[ROWS][ROWS], const int *rows, int count, const double *from,
                double factor)
{
    for (int i = 0; i < count; i++)
        for (int j = 0; j < count; j++)
            to[rows[i]][rows[j]] += factor * from[count * i + j];
}

/* The beam of Euler and Bernoulli, a rod and a shaft along x, with consistent masses. */
static void add_element(beam *bar, int e, double stretch)
{
    double l = stretch * L / ELEMENTS, A = b * h, Iz = b * h * h * h / 12, Iy = h * b * b * b / 12;
    double J = Iy + Iz, stiff[] = {1, -1, -1, 1}, mass[] = {2, 1, 1, 2};
    int first = 6 * e, along[] = {first, first + 6}, about[] = {first + 3, first + 9};
    add(bar->K, along, 2, stiff, E * A / l);
    add(bar->M, along, 2, mass, rho * A * l / 6);
    add(bar->K, about, 2, stiff, G * J / l);
    add(bar->M, about, 2, mass, rho * J * l / 6);
    for (int plane = 0; plane < 2; plane++) {
        double s = plane ? -l : l; /* about y a positive angle moves the beam down */
        int rows[] = {first + 1 + plane, first + 5 - plane, first + 7 + plane, first + 11 - plane};
        const double k[] = {12,  6 * s,  -12, 6 * s,  6 * s, 4 * s * s, -6 * s, 2 * s * s,
                            -12, -6 * s, 12,  -6 * s, 6 * s, 2 * s * s, -6 * s, 4 * s * s};
        const double m[] = {156, 22 * s, 54,  -13 * s, 22 * s,  4 * s * s,  13 * s,  -3 * s * s,
                            54,  13 * s, 156, -22 * s, -13 * s, -3 * s * s, -22 * s, 4 * s * s};
        add(bar->K, rows, 4, k, E * (plane ? Iy : Iz) / (l * l * l));
        add(bar->M, rows, 4, m, rho * A * l / 420);
    }
}

static lmb_sparse compress(double full[ROWS][ROWS], matrix *out)
{
    int count = 0;
    for (int i = 0; i < ROWS; i++) {
        for (int j = 0; j < ROWS; j++)
            if (full[i][j] != 0) {
                assert_true(count < MOST);
                out->index[count] = j;
                out->value[count++] = full[i][j];
            }
        out->start[i + 1] = count;
    }
    return (lmb_sparse){out->start, out->index, out->value};
}

static const int first_node[] = {0}, last_node[] = {NODES - 1};
static const lmb_array_set ends[] = {{"root", 1, first_node}, {"tip", 1, last_node}};

/* A bar of a length in units of L; to be freed. */
static beam *make_bar(double stretch)
{
    beam *out = calloc(1, sizeof *out);
    assert_non_null(out);
    for (int i = 0; i < NODES; i++)
        out->x[3 * i] = stretch * L * i / ELEMENTS;
    for (int e = 0; e < ELEMENTS; e++)
        add_element(out, e, stretch);
    out->arrays = (lmb_arrays){.nodes = NODES,
                               .x = out->x,
                               .n = ROWS,
                               .K = compress(out->K, &out->k),
                               .M = compress(out->M, &out->m),
                               .set_count = 2,
                               .sets = ends};
    return out;
}

static const char free_bar[] = "limber: 1\ndimension: 3\nparameters: {modes: 90}\nbodies:\n"
                               "  bar:\n"
                               "    arrays: bar\n"
                               "    interfaces: {A: {node: root}, B: {node: tip}}\n"
                               "    reduction: {modes: modes}\n";

static lmb_spec *spec_of(const char *text)
{
    lmb_spec *spec;
    lmb_messages_clear(context);
    assert_ok(lmb_spec_parse(&spec, context, scratch_path("arrays.yaml"), text));
    spec->no_cache = true;
    return spec;
}

/* The frequencies of the first body of a model. */
static const lmb_reduced *reduced_of(const lmb_model *m)
{
    return lmb_body_data_of(&m->bodies[1])->reduced;
}

static lmb_model *compiled(const lmb_spec *spec)
{
    lmb_model *m;
    assert_ok(lmb_model_compile(&m, context, spec));
    return m;
}

/* Whether a frequency is among those of a body. */
static void assert_has(const lmb_reduced *r, double hz, double tolerance)
{
    double nearest = INFINITY;
    for (int i = 0; i < r->mode_count; i++)
        if (fabs(r->frequency[i] - hz) < fabs(nearest - hz))
            nearest = r->frequency[i];
    assert_close(nearest / hz, 1, tolerance);
}

/* Rods and shafts of linear elements have modes cos(n pi x / L) with, c being the speed of waves
 * and a = n pi / ELEMENTS, w^2 = 6 (c / l)^2 (1 - cos a) / (2 + cos a): exactly. Beams are too
 * stiff by (beta l)^4 / 1440 of the frequency at most. Modes of fixed ends leave out next to
 * nothing. */
static void a_free_bar_has_its_frequencies(void **unused)
{
    (void)unused;
    beam *bar = make_bar(1);
    lmb_spec *spec = spec_of(free_bar);
    assert_ok(lmb_spec_attach(spec, context, "bar", &bar->arrays));
    free(bar); /* it was copied */
    lmb_model *m = compiled(spec);
    lmb_spec_free(spec);
    const lmb_reduced *r = reduced_of(m);
    assert_close(r->mass, rho * b * h * L, 1e-12);
    double l = L / ELEMENTS, speeds[] = {sqrt(E / rho), sqrt(G / rho)};
    for (int n = 1; n <= 2; n++)
        for (int i = 0; i < 2; i++) {
            double a = n * pi / ELEMENTS;
            double w = speeds[i] / l * sqrt(6 * (1 - cos(a)) / (2 + cos(a)));
            assert_has(r, w / (2 * pi), 1e-8);
        }
    const double beta[] = {4.730040744862704, 7.853204624095838};
    for (int i = 0; i < 2; i++)
        for (int plane = 0; plane < 2; plane++) {
            double depth = plane ? b : h, EI_over_rhoA = E * depth * depth / 12 / rho;
            double hz = beta[i] * beta[i] / (L * L) * sqrt(EI_over_rhoA) / (2 * pi);
            assert_has(r, hz, 1.1 * pow(beta[i] / ELEMENTS, 4) / 1440);
        }
    lmb_model_free(m);
}

/* --- files and arrays ------------------------------------------------------------------------- */

static void write_matrix(const char *name, const matrix *m)
{
    FILE *f = fopen(scratch_path(name), "w");
    assert_non_null(f);
    fprintf(f, "%%%%MatrixMarket matrix coordinate real general\n%d %d %d\n", ROWS, ROWS,
            m->start[ROWS]);
    for (int i = 0; i < ROWS; i++)
        for (int k = m->start[i]; k < m->start[i + 1]; k++)
            fprintf(f, "%d %d %.17g\n", i + 1, m->index[k] + 1, m->value[k]);
    assert_int_equal(fclose(f), 0);
}

static void write_tables(const beam *bar)
{
    FILE *f = fopen(scratch_path("bar.inp"), "w"), *g = fopen(scratch_path("k.mapping"), "w");
    assert_true(f && g);
    fprintf(f, "*NODE\n");
    for (int i = 0; i < NODES; i++)
        fprintf(f, "%d, %.17g, 0, 0\n", i + 1, bar->x[3 * i]);
    fprintf(f, "*NSET, NSET=root\n1\n"); /* sets of nodes without elements */
    for (int i = 0; i < ROWS; i++)
        fprintf(g, "%d %d %d\n", i + 1, i / 6 + 1, i % 6 + 1);
    assert_int_equal(fclose(f) | fclose(g), 0);
}

static void assert_same(const lmb_model *a, const lmb_model *other)
{
    const lmb_reduced *x = reduced_of(a), *y = reduced_of(other);
    size_t modes = (size_t)x->mode_count;
    assert_int_equal(x->mode_count, y->mode_count);
    assert_memory_equal(x->frequency, y->frequency, modes * sizeof *x->frequency);
    assert_memory_equal(&x->mass, &y->mass, sizeof x->mass);
    assert_memory_equal(&x->inertia, &y->inertia, sizeof x->inertia);
}

static void files_and_arrays_give_the_same_bits(void **unused)
{
    (void)unused;
    beam *bar = make_bar(1);
    write_matrix("k.mtx", &bar->k);
    write_matrix("m.mtx", &bar->m);
    write_tables(bar);
    lmb_spec *files = spec_of("limber: 1\ndimension: 3\nbodies:\n  bar:\n"
                              "    matrices: {stiffness: k.mtx, mass: m.mtx, nodes: bar.inp}\n"
                              "    interfaces: {A: {node: root}, B: {at: [1.2, 0, 0]}}\n"
                              "    reduction: {modes: 12}\n");
    lmb_spec *arrays = spec_of(free_bar);
    assert_ok(lmb_spec_set(arrays, context, "modes", "12"));
    assert_ok(lmb_spec_attach(arrays, context, "bar", &bar->arrays));
    lmb_model *a = compiled(files), *c = compiled(arrays);
    assert_same(a, c);

    /* rows that say what they are, nodes with numbers of their own, entries in another order */
    int node[ROWS], direction[ROWS], number[NODES];
    for (int i = 0; i < ROWS; i++) {
        node[i] = i / 6;
        direction[i] = i % 6;
    }
    for (int i = 0; i < NODES; i++)
        number[i] = 100 - i;
    for (int i = 0; i < ROWS; i++)
        for (int k = bar->k.start[i], last = bar->k.start[i + 1] - 1; k < last; k++, last--) {
            int j = bar->k.index[k];
            double value = bar->k.value[k];
            bar->k.index[k] = bar->k.index[last];
            bar->k.value[k] = bar->k.value[last];
            bar->k.index[last] = j;
            bar->k.value[last] = value;
        }
    bar->arrays.node = node;
    bar->arrays.direction = direction;
    bar->arrays.number = number;
    assert_ok(lmb_spec_attach(arrays, context, "bar", &bar->arrays));
    lmb_model *d = compiled(arrays);
    assert_same(a, d);
    assert_int_equal(reduced_of(d)->number[0], 100);

    lmb_model_free(a);
    lmb_model_free(c);
    lmb_model_free(d);
    lmb_spec_free(files);
    lmb_spec_free(arrays);
    free(bar);
}

/* In tonnes and millimetres: lengths of 1000, masses of 1/1000, stiffnesses of N/mm. */
static void units_are_converted(void **unused)
{
    (void)unused;
    beam *bar = make_bar(1);
    lmb_spec *spec = spec_of(free_bar);
    assert_ok(lmb_spec_attach(spec, context, "bar", &bar->arrays));
    lmb_model *si = compiled(spec);
    lmb_spec_free(spec);
    for (int i = 0; i < 3 * NODES; i++)
        bar->x[i] *= 1000;
    for (int i = 0; i < ROWS; i++) {
        for (int k = bar->k.start[i]; k < bar->k.start[i + 1]; k++)
            bar->k.value[k] *= pow(1000, (i % 6 > 2) + (bar->k.index[k] % 6 > 2) - 1);
        for (int k = bar->m.start[i]; k < bar->m.start[i + 1]; k++)
            bar->m.value[k] *= pow(1000, (i % 6 > 2) + (bar->m.index[k] % 6 > 2) - 1);
    }
    spec = spec_of("limber: 1\ndimension: 3\nbodies:\n  bar:\n"
                   "    arrays: {name: bar, units: mm-t-s}\n"
                   "    interfaces: {A: {node: root}, B: {node: tip}}\n"
                   "    reduction: {modes: 90}\n");
    assert_ok(lmb_spec_attach(spec, context, "bar", &bar->arrays));
    lmb_model *mm = compiled(spec);
    for (int i = 0; i < 8; i++) /* converting rounds; rigid modes are no modes of the body */
        assert_close(reduced_of(mm)->frequency[i] / reduced_of(si)->frequency[i], 1, 1e-9);
    assert_close(reduced_of(mm)->mass, reduced_of(si)->mass, 1e-12);
    lmb_model_free(si);
    lmb_model_free(mm);
    lmb_spec_free(spec);
    free(bar);
}

/* --- copies and variants ---------------------------------------------------------------------- */

/* What is attached is shared by copies; another part in the place of one is seen by variants, and
 * by the cache, which goes by contents. */
static void copies_share_and_variants_see_other_arrays(void **unused)
{
    (void)unused;
    beam *one = make_bar(1), *two = make_bar(2);
    lmb_spec *spec = spec_of(free_bar), *copy;
    spec->no_cache = false;
    assert_ok(lmb_spec_set(spec, context, "modes", "12"));
    assert_ok(lmb_spec_attach(spec, context, "bar", &one->arrays));
    lmb_model *base = compiled(spec), *same, *other;
    assert_ok(lmb_spec_copy(&copy, context, spec));
    lmb_spec_free(spec);
    assert_ok(lmb_model_variant(&same, context, copy, base));
    assert_ptr_equal(lmb_body_data_of(&same->bodies[1]), lmb_body_data_of(&base->bodies[1]));
    assert_ok(lmb_spec_attach(copy, context, "bar", &two->arrays));
    assert_ok(lmb_model_variant(&other, context, copy, base));
    assert_close(reduced_of(other)->mass / reduced_of(base)->mass, 2, 1e-12);
    lmb_model *again = compiled(copy);
    assert_same(other, again);
    lmb_model_free(base);
    lmb_model_free(same);
    lmb_model_free(other);
    lmb_model_free(again);
    lmb_spec_free(copy);
    free(one);
    free(two);
}

/* --- elements --------------------------------------------------------------------------------- */

/* The upper triangle goes with the lower one. */
static lmb_sparse both_triangles(const lmb_symmetric *from)
{
    int n = from->n, *start = calloc((size_t)n + 1, sizeof *start), entries = 2 * from->start[n];
    int *index = malloc((size_t)entries * sizeof *index);
    double *value = malloc((size_t)entries * sizeof *value);
    assert_true(start && index && value);
    int at = 0;
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < i; j++)
            for (int k = from->start[j]; k < from->start[j + 1]; k++)
                if (from->row[k] == i) {
                    index[at] = j;
                    value[at++] = from->value[k];
                }
        for (int k = from->start[i]; k < from->start[i + 1]; k++) {
            index[at] = from->row[k];
            value[at++] = from->value[k];
        }
        start[i + 1] = at;
    }
    return (lmb_sparse){start, index, value};
}

static void free_sparse(lmb_sparse m)
{
    free((int *)m.start);
    free((int *)m.index);
    free((double *)m.value);
}

/* A mesh of a file, its elements as arrays, and its matrices as arrays: the same body, with the
 * same stresses at its middle. */
static void elements_are_assembled_and_have_stresses(void **unused)
{
    (void)unused;
    const char *text = "limber: 1\ndimension: 3\nbodies:\n  bar:\n    %s\n"
                       "    interfaces: {A: {nodes: root}, B: {nodes: end}}\n"
                       "    reduction: {modes: 6}\n"
                       "    probes: {middle: {node: 30}}\n";
    const char *sources[] = {"mesh: {file: box.inp, material: steel}",
                             "arrays: {name: solid, material: steel}",
                             "arrays: {name: full, material: steel}"};
    lmb_material steel = {.name = "steel", .E = 2.1e11, .nu = 0.3, .density = 7850};
    lmb_mesh *mesh = box_mesh(LMB_HEX20, (int[]){4, 1, 1}, v3(0.4, 0.05, 0.06), steel, NULL);
    lmb_fe_model *fe = model_of(mesh);
    write_bar(mesh, 0.4, scratch_path("box.inp"));
    int sides[2][64], counts[2] = {0};
    for (int i = 0; i < mesh->node_count; i++)
        for (int side = 0; side < 2; side++)
            if (fabs(mesh->x[i].x - 0.4 * side) < 1e-9)
                sides[side][counts[side]++] = i;
    const lmb_array_set sets[] = {{"root", counts[0], sides[0]}, {"end", counts[1], sides[1]}};
    const lmb_array_elements elements[] = {{"hex20", mesh->element_count, mesh->connections}};
    lmb_arrays arrays = {.nodes = mesh->node_count,
                         .x = &mesh->x[0].x,
                         .set_count = 2,
                         .sets = sets,
                         .element_count = 1,
                         .elements = elements};
    lmb_arrays full = arrays;
    full.n = fe->n;
    full.K = both_triangles(&fe->K);
    full.M = both_triangles(&fe->M);
    lmb_model *models[3];
    for (int i = 0; i < 3; i++) {
        char model[1000];
        snprintf(model, sizeof model, text, sources[i]);
        lmb_spec *spec = spec_of(model);
        assert_ok(lmb_spec_attach(spec, context, "solid", &arrays));
        assert_ok(lmb_spec_attach(spec, context, "full", &full));
        models[i] = compiled(spec);
        lmb_spec_free(spec);
    }
    assert_same(models[0], models[1]);
    assert_same(models[0], models[2]);
    const lmb_body_data *d[3];
    for (int i = 0; i < 3; i++)
        d[i] = lmb_body_data_of(&models[i]->bodies[1]);
    size_t stresses = 6 * (size_t)d[0]->stress_count * (size_t)d[0]->reduced->mode_count;
    for (int i = 1; i < 3; i++) {
        assert_int_equal(d[i]->stress_count, d[0]->stress_count);
        assert_memory_equal(d[i]->stress, d[0]->stress, stresses * sizeof *d[0]->stress);
    }
    for (int i = 0; i < 3; i++)
        lmb_model_free(models[i]);
    free_sparse(full.K);
    free_sparse(full.M);
    lmb_arena_free(fe->arena);
    lmb_arena_free(mesh->arena);
}

/* --- bad arrays ------------------------------------------------------------------------------- */

typedef void spoil(beam *bar);

static int wrong_numbers[NODES], wrong_nodes[ROWS], directions[ROWS];
static const int beyond[] = {NODES};

static void no_nodes(beam *x)
{
    x->arrays.nodes = 0;
}
static void nan_node(beam *x)
{
    x->x[4] = NAN;
}
static void number_twice(beam *x)
{
    for (int i = 0; i < NODES; i++)
        wrong_numbers[i] = i == 5 ? 3 : i + 1;
    x->arrays.number = wrong_numbers;
}
static void number_zero(beam *x)
{
    number_twice(x);
    wrong_numbers[0] = 0;
}
static void rows_do_not_fit(beam *x)
{
    x->arrays.n--;
}
static void node_alone(beam *x)
{
    x->arrays.node = wrong_nodes;
}
static void row_beyond(beam *x)
{
    for (int i = 0; i < ROWS; i++)
        wrong_nodes[i] = (i + 6) / 6;
    x->arrays.node = wrong_nodes;
    x->arrays.direction = directions;
    for (int i = 0; i < ROWS; i++)
        directions[i] = i % 6;
}
static void row_twice(beam *x)
{
    row_beyond(x);
    for (int i = 0; i < ROWS; i++)
        wrong_nodes[i] = i / 6;
    directions[7] = 0;
}
static void wrong_direction(beam *x)
{
    row_twice(x);
    directions[7] = 6;
}
static void no_mass(beam *x)
{
    x->arrays.M = (lmb_sparse){0};
}
static void starts_late(beam *x)
{
    x->k.start[0] = 1;
}
static void runs_back(beam *x)
{
    x->k.start[3] = 2;
}
static void column_beyond(beam *x)
{
    x->m.index[4] = ROWS;
}
static void column_negative(beam *x)
{
    x->m.index[4] = -1;
}
static void entry_twice(beam *x)
{
    x->m.index[1] = x->m.index[0];
}
static void nan_entry(beam *x)
{
    x->k.value[1] = NAN;
}
static void not_symmetric(beam *x)
{
    x->k.value[1] *= 1.5;
}
static void negative_mass(beam *x)
{
    x->m.value[0] = -1;
}
static void no_stiffness(beam *x)
{
    x->k.value[0] = 0;
}
static void set_beyond(beam *x)
{
    static const lmb_array_set set[] = {{"root", 1, beyond}};
    x->arrays.sets = set;
    x->arrays.set_count = 1;
}
static void set_twice(beam *x)
{
    static const lmb_array_set set[] = {{"root", 1, first_node}, {"root", 1, last_node}};
    x->arrays.sets = set;
}
static void set_empty(beam *x)
{
    static const lmb_array_set set[] = {{"root", 0, first_node}};
    x->arrays.sets = set;
    x->arrays.set_count = 1;
}
static void set_without_name(beam *x)
{
    static const lmb_array_set set[] = {{NULL, 1, first_node}};
    x->arrays.sets = set;
    x->arrays.set_count = 1;
}
static void unknown_elements(beam *x)
{
    static const lmb_array_elements elements[] = {{"prism6", 1, first_node}};
    x->arrays.elements = elements;
    x->arrays.element_count = 1;
}
static void nothing(beam *x)
{
    x->arrays.n = 0;
    x->arrays.K = x->arrays.M = (lmb_sparse){0};
}

static void bad_arrays_are_refused(void **unused)
{
    (void)unused;
    static const struct {
        spoil *how;
        const char *says;
    } cases[] = {
        {no_nodes, "it has no nodes"},
        {nan_node, "node 2 is at (0.075, nan, 0)"},
        {number_twice, "two nodes have the number 3"},
        {number_zero, "a node has the number 0"},
        {rows_do_not_fit, "17 nodes have 101 rows, which is neither 3 nor 6 for each"},
        {node_alone, "rows need both a node and a direction"},
        {row_beyond, "row 96 belongs to node 17, but nodes are 0 to 16"},
        {row_twice, "node 2 has two equations for UX"},
        {wrong_direction, "row 7 has the direction 6, but directions are 0 to 5"},
        {no_mass, "there is no mass matrix"},
        {starts_late, "the stiffness begins at 1, not at 0"},
        {runs_back, "row 2 of the stiffness ends before it begins"},
        {column_beyond, "is outside of the matrix of 102 rows"},
        {column_negative, "is outside of the matrix of 102 rows"},
        {entry_twice, "entry (0, 0) of the mass is given twice"},
        {nan_entry, "entry (0, 6) of the stiffness is not a finite number"},
        {not_symmetric, "the stiffness is not symmetric: entry (6, 0) is"},
        {negative_mass, "entry (0, 0) of the mass is -1 (node 1, UX); it must not be negative"},
        {no_stiffness, "entry (0, 0) of the stiffness is 0 (node 1, UX); it must be positive"},
        {set_beyond, "the nodes of 'root' have node 17, but nodes are 0 to 16"},
        {set_twice, "there are two sets 'root'"},
        {set_empty, "set 'root' has no nodes"},
        {set_without_name, "set 0 of nodes has no name"},
        {unknown_elements, "tet4, tet10, hex8 and hex20 are known"},
        {nothing, "it has neither matrices nor elements"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        beam *bar = make_bar(1);
        lmb_spec *spec = spec_of(free_bar);
        cases[i].how(bar);
        assert_int_equal(lmb_spec_attach(spec, context, "bar", &bar->arrays), LMB_BAD_INPUT);
        assert_message(context, cases[i].says);
        lmb_spec_free(spec);
        free(bar);
    }
}

static void wrong_uses_are_errors(void **unused)
{
    (void)unused;
    beam *bar = make_bar(1);
    lmb_spec *spec = spec_of(free_bar);
    assert_int_equal(lmb_spec_attach(spec, NULL, "bar", &bar->arrays), LMB_USAGE);
    assert_int_equal(lmb_spec_attach(NULL, context, "bar", &bar->arrays), LMB_USAGE);
    assert_int_equal(lmb_spec_attach(spec, context, "bar", NULL), LMB_USAGE);
    assert_int_equal(lmb_spec_attach(spec, context, "", &bar->arrays), LMB_USAGE);
    assert_message(context, "need a name");
    lmb_model *m;
    assert_ok(lmb_spec_attach(spec, context, "baz", &bar->arrays));
    assert_int_equal(lmb_model_compile(&m, context, spec), LMB_BAD_INPUT);
    assert_message(context, "did you mean 'baz'?");
    lmb_spec_free(spec);
    free(bar);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_free_bar_has_its_frequencies),
        cmocka_unit_test(files_and_arrays_give_the_same_bits),
        cmocka_unit_test(units_are_converted),
        cmocka_unit_test(copies_share_and_variants_see_other_arrays),
        cmocka_unit_test(elements_are_assembled_and_have_stresses),
        cmocka_unit_test(bad_arrays_are_refused),
        cmocka_unit_test(wrong_uses_are_errors),
    };
    return cmocka_run_group_tests(tests, open_models, close_models);
}
