/* Load cases of a solid body for finite element programs: equilibrium in every format, units, and
 * stresses that CalculiX computes from them. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bars.h"
#include "fe_programs.h"
#include "import/mesh_read.h"
#include "meshes.h"
#include "models.h"
#include "program.h"
#include "support.h"

/* A rod of 80 C3D20, 1 m x 0.04 m x 0.04 m, driven about an axis that is none of its own, with a
 * moment at its tip. */
static const char rod_model[] =
    "limber: 1\ndimension: 3\nbodies:\n"
    "  rod:\n"
    "    mesh: {file: %s, units: %s}\n"
    "    interfaces:\n"
    "      root: {point: [0, 0, 0], nodes: ROOT, tie: %s}\n"
    "      tip: {point: [1, 0, 0], nodes: TIP, tie: %s}\n"
    "    reduction: {modes: 21}\n"
    "    probes: {mid: {at: [0.5, 0.02, 0.02]}, q: {at: [0.25, 0.02, -0.02]}}\n"
    "joints: {hinge: {type: revolute, between: [ground, rod.root], axis: [0.6, 0, 0.8]}}\n"
    "drivers: {motor: {joint: hinge, angle: \"20*t^2\"}}\n"
    "forces: {tip: {type: torque, at: rod.tip, torque: [0, 100, 0], axes: body}}\n"
    "analyses: {spin: {type: inverse-dynamics, begin: quasi-static, duration: 0.5, "
    "output_step: 0.1, step: 5e-4}}\n";

static vec3 centre_section(vec3 x)
{
    return v3(x.x, x.y - 0.02, x.z - 0.02);
}

static lmb_mesh *rod; /* with the sets ROOT and TIP */

static int make_rod(void **unused)
{
    const int cells[3] = {20, 2, 2};
    const lmb_material steel = {"steel", 210e9, 0.3, 7850, false};
    rod = box_mesh(LMB_HEX20, cells, v3(1, 0.04, 0.04), steel, centre_section);
    rod->sets = lmb_arena_alloc(rod->arena, 2, sizeof *rod->sets);
    rod->set_count = 2;
    for (int s = 0; s < 2; s++) {
        lmb_node_set *set = &rod->sets[s];
        *set = (lmb_node_set){s ? "TIP" : "ROOT",
                              lmb_arena_integers(rod->arena, (size_t)rod->node_count), 0};
        for (int i = 0; i < rod->node_count; i++)
            if (fabs(rod->x[i].x - s) < 1e-9)
                set->nodes[set->count++] = i;
    }
    write_inp_mesh(rod, 1, 1, scratch_path("rod.inp"));
    write_inp_mesh(rod, 1000, 1e-3, scratch_path("rod-mm.inp"));
    open_models(unused);
    lmb_result_close(run_text(context, "rod", rod_model, "rod.inp", "SI", "rigid", "rigid"));
    lmb_result_close(run_text(context, "mm", rod_model, "rod-mm.inp", "mm-t-s", "rigid", "rigid"));
    lmb_result_close(run_text(context, "average", rod_model, "rod.inp", "SI", "rigid", "average"));
    return 0;
}

static int free_rod(void **unused)
{
    lmb_arena_free(rod->arena);
    return close_models(unused);
}

static void export_loads(const char *result, const char *options, const char *file)
{
    char path[1024];
    snprintf(path, sizeof path, "%s", scratch_path(result));
    check_run(run_limber("export %s --loads rod %s -o %s", path, options, scratch_path(file)), 0,
              "of the loads");
}

/* --- what files have -------------------------------------------------------------------------- */

enum { MOST = 2000 };

/* The loads in a file, by numbers of nodes. */
typedef struct load_list {
    vec3 force[MOST], moment[MOST], x[MOST];
    int held, highest;
} load_list;

static void add_load(load_list *l, int node, int direction, double value)
{
    assert_in_range(node, 1, MOST - 1);
    vec3 *to = direction < 3 ? &l->force[node] : &l->moment[node];
    *to = v3_axpy(*to, value, v3_axis(direction % 3));
}

/* The columns of a line of Nastran, of a width. */
static double column(const char *line, int number, int width)
{
    char text[32] = "";
    if (strlen(line) > (size_t)(8 + number * width))
        snprintf(text, sizeof text, "%.*s", width, line + 8 + (size_t)(number * width));
    return strtod(text, NULL);
}

static void read_bdf(load_list *l, const char *line, FILE *in)
{
    char next[256];
    bool force = strncmp(line, "FORCE*", 6) == 0, moment = strncmp(line, "MOMENT*", 7) == 0;
    bool grid = strncmp(line, "GRID*", 5) == 0;
    l->held += strncmp(line, "SPC1 ", 5) == 0;
    if (!force && !moment && !grid)
        return;
    assert_non_null(fgets(next, sizeof next, in));
    int node = (int)column(line, grid ? 0 : 1, 16);
    for (int k = 0; k < 3 && !grid; k++)
        add_load(l, node, (moment ? 3 : 0) + k, column(line, 3, 16) * column(next, k, 16));
    if (grid)
        l->x[node] = v3(column(line, 2, 16), column(line, 3, 16), column(next, 0, 16));
}

static void read_line(load_list *l, const char *line, FILE *in)
{
    static const char *const labels[] = {"FX", "FY", "FZ", "MX", "MY", "MZ"};
    static bool supports;
    char label[8];
    int node, direction, last;
    double v[3];
    supports = line[0] == '*' ? strncmp(line, "*BOUNDARY", 9) == 0 : supports;
    if (sscanf(line, "F,%d,%2[A-Z],%lf", &node, label, v) == 3) {
        for (direction = 0; strcmp(labels[direction], label) != 0;)
            assert_in_range(++direction, 0, 5);
        add_load(l, node, direction, v[0]);
    } else if (sscanf(line, "N,%d,%lf,%lf,%lf", &node, v, v + 1, v + 2) == 4 ||
               sscanf(line, "%d, %lf, %lf, %lf", &node, v, v + 1, v + 2) == 4) {
        l->x[node] = v3_of(v);
    } else if (supports && sscanf(line, "%d, %d, %d", &node, &direction, &last) == 3) {
        l->held += direction == last;
    } else if (sscanf(line, "%d, %d, %lf", &node, &direction, v) == 3) {
        add_load(l, node, direction - 1, v[0]);
    } else if (strncmp(line, "D,", 2) == 0) {
        l->held++;
    }
    if (strchr(line, '\n') &&
        (line[0] == 'F' || line[0] == 'M' || line[0] == 'G' || line[0] == 'S'))
        read_bdf(l, line, in);
}

/* Reads the first step of a file; mesh nodes in units of which `length` make 1 m. */
static load_list *read_loads(const char *file, double length)
{
    static load_list all[4];
    static int next;
    load_list *l = &all[next++ % 4];
    char line[256];
    FILE *in = fopen(scratch_path(file), "r");
    assert_non_null(in);
    *l = (load_list){.held = 0};
    for (int i = 0; i < rod->node_count; i++)
        l->x[rod->number[i]] = v3_scale(length, rod->x[i]);
    while (fgets(line, sizeof line, in))
        read_line(l, line, in);
    fclose(in);
    return l;
}

/* The resultants are zero against the sum of the sizes of all loads. Numbers have 10 digits or
 * more, and 600 nodes. */
static void assert_equilibrium(const load_list *l, double length)
{
    vec3 force = v3(0, 0, 0), moment = v3(0, 0, 0);
    double size = 0, turn = 0;
    for (int i = 0; i < MOST; i++) {
        force = v3_add(force, l->force[i]);
        moment = v3_add(moment, v3_add(l->moment[i], v3_cross(l->x[i], l->force[i])));
        size += v3_norm(l->force[i]);
        turn += v3_norm(l->moment[i]) + length * v3_norm(l->force[i]);
    }
    assert_true(size > 100);
    assert_true(v3_norm(force) < 1e-9 * size);
    assert_true(v3_norm(moment) < 1e-9 * turn);
    assert_int_equal(l->held, 6);
}

static const char *const formats[] = {"rod.loads.inp", "rod.loads.mac", "rod.loads.bdf"};

/* Every format has the same loads on the same nodes, six supports, and is in equilibrium. */
static void every_format_is_in_equilibrium(void **unused)
{
    (void)unused;
    load_list *all[3];
    for (int k = 0; k < 3; k++) {
        export_loads("rod.h5", "--at 0.5", formats[k]);
        all[k] = read_loads(formats[k], 1);
        assert_equilibrium(all[k], 1);
    }
    /* the moment at the tip, on its reference node behind all nodes of the mesh */
    assert_close(v3_norm(all[0]->moment[rod->node_count + 2]), 100, 1e-9);
    for (int k = 1; k < 3; k++)
        for (int i = 0; i < MOST; i++) { /* 10 digits */
            assert_true(v3_norm(v3_sub(all[k]->force[i], all[0]->force[i])) <=
                        1e-9 * v3_norm(all[0]->force[i]));
            assert_true(v3_norm(v3_sub(all[k]->moment[i], all[0]->moment[i])) <=
                        1e-9 * v3_norm(all[0]->moment[i]));
        }
}

/* In mm, t and s forces are in N and moments in N mm. Both meshes have
 * 12 digits, and shapes 7. */
static void loads_are_in_the_units_of_the_mesh(void **unused)
{
    (void)unused;
    export_loads("mm.h5", "--at 0.5", "mm.loads.inp");
    load_list *mm = read_loads("mm.loads.inp", 1000), *m = read_loads("rod.loads.inp", 1);
    assert_equilibrium(mm, 1000);
    for (int i = 1; i < MOST; i++) {
        assert_true(v3_norm(v3_sub(mm->force[i], m->force[i])) < 1e-6 * 1000);
        assert_true(v3_norm(v3_sub(mm->moment[i], v3_scale(1000, m->moment[i]))) < 1e-6 * 1e6);
        assert_true(v3_norm(v3_sub(mm->x[i], v3_scale(1000, m->x[i]))) < 1e-9);
    }
}

/* A rod on a ball spins about its axis and vibrates, because its weight acts suddenly. The frame at
 * the ball turns with the vibration, so the Coriolis forces of the modes are up to a quarter of the
 * loads. The rest of the resultant is of the order of deflection / length, w L^3 / (4 E I) = 7e-4
 * for the weight per length w. */
static void coriolis_forces_of_modes_are_loads(void **unused)
{
    (void)unused;
    lmb_result_close(
        run_text(context, "vibrates",
                 "limber: 1\ndimension: 3\ngravity: [0, 0, -9.81]\nbodies:\n"
                 "  rod:\n"
                 "    mesh: {file: rod.inp}\n"
                 "    interfaces: {root: {nodes: ROOT}, tip: {nodes: TIP}}\n"
                 "    reduction: {modes: 6, frame: {point: root}}\n"
                 "    angular_velocity: [30, 0, 0]\n"
                 "joints: {ball: {type: spherical, between: [ground, rod.root]}}\n"
                 "analyses: {swing: {type: dynamics, duration: 0.04, output_step: 0.01}}\n"));
    char path[1024];
    snprintf(path, sizeof path, "%s", scratch_path("vibrates.h5"));
    for (int i = 1; i <= 4; i++) {
        lmb_run_result run = run_limber("export %s --loads rod --at 0.0%d -o %s", path, i,
                                        scratch_path("vibrates.inp"));
        const char *share = strstr(run.err, " N m (");
        assert_int_equal(run.code, 0);
        assert_non_null(share);
        assert_true(strtod(share + strlen(" N m ("), NULL) < 0.5); /* per cent */
        free_run(&run);
        assert_equilibrium(read_loads("vibrates.inp", 1), 1);
    }
}

/* Without an option the instant of the largest stress is written; others by their choice. */
static void instants_are_chosen(void **unused)
{
    (void)unused;
    static const char *const options[] = {"", "--peak", "--at 0 --at 0.3", "--every 2",
                                          "--from 0.2 --to 0.4"};
    static const int steps[] = {1, 1, 2, 3, 3};
    static const char *const first[] = {"** t = 0.5 s", "** t = 0.5 s", "** t = 0 s", "** t = 0 s",
                                        "** t = 0.2"};
    for (int k = 0; k < 5; k++) {
        export_loads("rod.h5", options[k], "chosen.inp");
        char line[256];
        int count = 0;
        FILE *in = fopen(scratch_path("chosen.inp"), "r");
        assert_non_null(in);
        while (fgets(line, sizeof line, in)) {
            if (strncmp(line, "** t = ", 7) == 0 && count++ == 0)
                assert_non_null(strstr(line, first[k]));
        }
        fclose(in);
        assert_int_equal(count, steps[k]);
    }
    char path[1024];
    snprintf(path, sizeof path, "%s", scratch_path("rod.h5"));
    check_run(run_limber("export %s --loads rod --peak -o %s", path, scratch_path("chosen.inp")), 0,
              "The largest von Mises stress is ");
}

/* --- CalculiX --------------------------------------------------------------------------------- */

static int node_at(const lmb_mesh *mesh, vec3 x)
{
    int best = 0;
    for (int i = 1; i < mesh->node_count; i++)
        if (v3_norm(v3_sub(mesh->x[i], x)) < v3_norm(v3_sub(mesh->x[best], x)))
            best = i;
    return mesh->number[best];
}

/* sigma_xx at the two probes as CalculiX finds it. */
static void solve_rod(const char *name, const char *mesh, const char *loads, double out[2])
{
    double s[6];
    const char *path = solve_with_ccx(name, mesh, loads);
    read_frd(path, "STRESS", node_at(rod, v3(0.5, 0.02, 0.02)), s);
    out[0] = s[0];
    read_frd(path, "STRESS", node_at(rod, v3(0.25, 0.02, -0.02)), s);
    out[1] = s[0];
}

/* Holds the root instead of the six supports. */
static void hold_root(const char *from, const char *to)
{
    char line[256];
    bool skipped = false;
    FILE *in = fopen(scratch_path(from), "r"), *out = fopen(scratch_path(to), "w");
    assert_true(in && out);
    while (fgets(line, sizeof line, in)) {
        if (strncmp(line, "*BOUNDARY", 9) == 0) {
            fprintf(out, "*BOUNDARY\n%d, 1, 6\n", rod->node_count + 1);
            skipped = true;
        } else if (!skipped || line[0] == '*') {
            skipped = false;
            fputs(line, out);
        }
    }
    fclose(in);
    assert_int_equal(fclose(out), 0);
}

/* CalculiX finds 37.604 and -47.840 MPa, to 0.1 %. It finds the same, to the 6 digits of its file,
 * if other supports hold the rod: their reactions are zero. Limber is within 0.3 %: it computes in
 * the deformed rod. */
static void calculix_finds_the_stresses_of_the_rod(void **unused)
{
    (void)unused;
    double s[2], held[2], moved[2], mm[2], own;
    if (!has_ccx())
        skip();
    solve_rod("free", "rod.inp", "rod.loads.inp", s);
    assert_close(s[0] / 37.604e6, 1, 1e-3);
    assert_close(s[1] / -47.840e6, 1, 1e-3);
    lmb_result *r;
    assert_ok(lmb_result_open(&r, context, scratch_path("rod.h5")));
    own = final_of(context, r, "rod.stress.mid.xx");
    assert_close(own / s[0], 1, 3e-3);
    own = final_of(context, r, "rod.stress.q.xx");
    assert_close(own / s[1], 1, 3e-3);
    lmb_result_close(r);
    hold_root("rod.loads.inp", "held.loads.inp");
    solve_rod("held", "rod.inp", "held.loads.inp", held);
    export_loads("rod.h5", "--at 0.5 --as displacements", "moved.loads.inp");
    solve_rod("moved", "rod.inp", "moved.loads.inp", moved);
    solve_rod("millimetres", "rod-mm.inp", "mm.loads.inp", mm);
    for (int k = 0; k < 2; k++) {
        assert_close(held[k] / s[k], 1, 1e-6 + 5e-6);
        assert_close(moved[k] / (k ? -47.840e6 : 37.608e6), 1, 1e-3);
        assert_close(1e6 * mm[k] / s[k], 1, 1e-5);
    }
}

/* An average point at the tip: the stress far from the tip is the same as with a rigid one. */
static void calculix_takes_averages(void **unused)
{
    (void)unused;
    double s[2];
    if (!has_ccx())
        skip();
    export_loads("average.h5", "--at 0.5", "average.loads.inp");
    solve_rod("average-job", "rod.inp", "average.loads.inp", s);
    assert_close(s[0] / 37.604e6, 1, 1e-3);
    assert_close(s[1] / -47.840e6, 1, 1e-3);
}

/* The boom of the crane at 6 s: CalculiX finds 32.181 and 29.934 MPa (von Mises), Limber the same
 * to 1 %. */
static void calculix_finds_the_stresses_of_the_crane(void **unused)
{
    (void)unused;
    static const char *const probes[] = {"waist", "back"};
    static const vec3 at[] = {{4, 0, 0.4}, {7.906, 0, 0.295472}};
    static const double known[] = {32.181e6, 29.934e6};
    if (!has_ccx())
        skip();
    lmb_arena *arena = lmb_arena_new();
    lmb_mesh *boom;
    assert_ok(lmb_mesh_read(&boom, context, arena, "examples/crane/boom.msh", lmb_unit_systems));
    write_inp_mesh(boom, 1, 1, scratch_path("boom.inp"));
    check_run(run_limber("export %s --loads boom --at 6 -o %s", example_result("run", "crane"),
                         scratch_path("boom.loads.inp")),
              0, "of the loads");
    const char *solved = solve_with_ccx("boom-job", "boom.inp", "boom.loads.inp");
    for (int k = 0; k < 2; k++) {
        double s[6], own;
        char channel[64];
        read_frd(solved, "STRESS", node_at(boom, at[k]), s);
        double mises = sqrt(((s[0] - s[1]) * (s[0] - s[1]) + (s[1] - s[2]) * (s[1] - s[2]) +
                             (s[2] - s[0]) * (s[2] - s[0])) /
                                2 +
                            3 * (s[3] * s[3] + s[4] * s[4] + s[5] * s[5]));
        assert_close(mises / known[k], 1, 1e-3);
        snprintf(channel, sizeof channel, "boom.stress.%s --at 6", probes[k]);
        lmb_run_result run = run_limber("get %s %s", example_result("run", "crane"), channel);
        assert_int_equal(run.code, 0);
        own = strtod(run.out, NULL);
        free_run(&run);
        assert_close(own / mises, 1, 0.01);
    }
    lmb_arena_free(arena);
}

/* A force on a patch of the lower side is spread over its nodes. Held at both points, the rod is at
 * rest, so that their reactions balance that force alone. */
static void forces_on_patches_are_spread(void **unused)
{
    (void)unused;
    char path[1024];
    lmb_result_close(
        run_text(context, "patch",
                 "limber: 1\ndimension: 3\nbodies:\n"
                 "  rod:\n"
                 "    mesh: {file: rod.inp}\n"
                 "    interfaces: {root: {nodes: ROOT}, tip: {nodes: TIP}}\n"
                 "    patches: {none: {at: [0.5, 0, 0]}, low: {nodes: [%d, %d]}}\n"
                 "    reduction: {modes: 4, stress_correction: false}\n"
                 "joints: {a: {type: fixed, between: [ground, rod.root]},\n"
                 "         b: {type: inline, between: [ground, rod.tip], axis: [1, 0, 0]}}\n"
                 "forces: {push: {type: force, at: rod.low, force: [0, 0, 100]}}\n"
                 "analyses: {rest: {type: statics}}\n",
                 node_at(rod, v3(0.5, -0.02, -0.02)), node_at(rod, v3(0.6, 0.02, -0.02))));
    snprintf(path, sizeof path, "%s", scratch_path("patch.h5"));
    check_run(run_limber("export %s --loads rod -o %s", path, scratch_path("patch.inp")), 0,
              "of the loads");
    load_list *l = read_loads("patch.inp", 1);
    assert_close(l->force[node_at(rod, v3(0.5, -0.02, -0.02))].z, 50, 1e-6);
    assert_close(l->force[node_at(rod, v3(0.6, 0.02, -0.02))].z, 50, 1e-6);
    vec3 sum = v3_add(l->force[rod->node_count + 1], l->force[rod->node_count + 2]);
    assert_close(sum.z, -100, 1e-6);
    check_run(run_limber("export %s --loads rod -o %s", path, scratch_path("patch.csv")), 0,
              "t = ");
    char command[1100];
    snprintf(command, sizeof command, "cat '%s'", scratch_path("patch.csv"));
    check_run(run_shell(command), 0, ",low.force.x,low.force.y,low.force.z");
}

/* --- refusals --------------------------------------------------------------------------------- */

static void refuse(const char *result, const char *options, int code, const char *piece)
{
    char path[1024];
    snprintf(path, sizeof path, "%s", scratch_path(result));
    check_run(run_limber("export %s %s", path, options), code, piece);
}

static void exports_that_make_no_sense_are_refused(void **unused)
{
    (void)unused;
    refuse("rod.h5", "--loads rod --at 0.7 -o x.inp", 3, "is outside the result");
    refuse("rod.h5", "--loads rod --at 0.55 -o x.inp", 3, "is outside the result");
    refuse("rod.h5", "--loads rod --at 0.25 -o x.inp", 3, "is not a stored instant");
    refuse("rod.h5", "--loads rod --at soon -o x.inp", 2, "--at must be a time (got 'soon')");
    refuse("rod.h5", "--loads rod --at 0.5 --peak -o x.inp", 2, "choose instants by one of");
    refuse("rod.h5", "--loads rod --every 1.5 -o x.inp", 2, "--every must be a whole number");
    refuse("rod.h5", "--loads rod -o x.odb", 2, "is not a load case format");
    refuse("rod.h5", "--csv x.csv --peak", 2, "--peak is for --loads");
    char model[4096], *kind;
    snprintf(model, sizeof model, rod_model, "rod.inp", "SI", "rigid", "rigid");
    kind = strstr(model, "{type: inverse-dynamics");
    assert_non_null(kind);
    *kind = 0;
    lmb_result_close(run_text(context, "moves", "%s{type: kinematics, duration: 0.1}}\n", model));
    refuse("moves.h5", "--loads rod -o x.inp", 3, "analysis 'spin' has no forces on body 'rod'");
    scratch_text("rod-mm.inp", "changed\n");
    refuse("mm.h5", "--loads rod -o x.inp", 3, "have changed since the run");
    remove(scratch_path("rod-mm.inp"));
    refuse("mm.h5", "--loads rod -o x.inp", 3, "cannot read");
}

/* Nodes that make up no face cannot be coupled by *DISTRIBUTING, but by RBE3. */
static void averages_need_faces(void **unused)
{
    (void)unused;
    char set[512] = "[";
    for (int i = 0, n = 0; i < rod->node_count && n < 6; i++)
        if (fabs(rod->x[i].x - 1) < 1e-9 && fabs(rod->x[i].y * rod->x[i].z) < 1e-12) {
            snprintf(set + strlen(set), sizeof set - strlen(set), "%s%d", n ? ", " : "",
                     rod->number[i]);
            n++;
        }
    snprintf(set + strlen(set), sizeof set - strlen(set), "]");
    char model[4096], *at;
    snprintf(model, sizeof model, rod_model, "rod.inp", "SI", "rigid", "average");
    at = strstr(model, "nodes: TIP");
    assert_non_null(at);
    lmb_result_close(run_text(context, "loose", "%.*snodes: %s%s", (int)(at - model), model, set,
                              at + strlen("nodes: TIP")));
    refuse("loose.h5", "--loads rod -o x.inp", 3, "no element face with all of its nodes");
    export_loads("loose.h5", "--at 0.5", "loose.mac");
    assert_equilibrium(read_loads("loose.mac", 1), 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_format_is_in_equilibrium),
        cmocka_unit_test(loads_are_in_the_units_of_the_mesh),
        cmocka_unit_test(coriolis_forces_of_modes_are_loads),
        cmocka_unit_test(instants_are_chosen),
        cmocka_unit_test(calculix_finds_the_stresses_of_the_rod),
        cmocka_unit_test(calculix_takes_averages),
        cmocka_unit_test(calculix_finds_the_stresses_of_the_crane),
        cmocka_unit_test(forces_on_patches_are_spread),
        cmocka_unit_test(averages_need_faces),
        cmocka_unit_test(exports_that_make_no_sense_are_refused),
    };
    return cmocka_run_group_tests(tests, make_rod, free_rod);
}
