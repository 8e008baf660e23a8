/* Stiffening by stress: beams that rotate, columns and strings, and that nothing locks. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "fe/properties.h"
#include "math/dense.h"
#include "meshes.h"
#include "models.h"
#include "moving_part.h"
#include "support.h"

static const lmb_material steel = {"steel", 2.1e11, 0.3, 7800, false};
enum { ELEMENTS = 40 };
static const double L = 1, side = 0.01; /* of the square section */

/* A slender beam along x without shear deformation. */
static lmb_mesh *slender(int dimension)
{
    vec3 ends[] = {{0, 0, 0}, {L, 0, 0}};
    lmb_beam_line line = {.name = "beam",
                          .dimension = dimension,
                          .points = ends,
                          .point_count = 2,
                          .elements = ELEMENTS,
                          .material = steel};
    lmb_mesh *mesh;
    assert_ok(lmb_section_rectangle(&line.section, context, side, side, 0.3));
    line.section.shear_y = line.section.shear_z = 0;
    assert_ok(lmb_beam_mesh(&mesh, context, &line));
    return mesh;
}

/* sqrt(EI / (rho A)) / L^2 */
static double unit_frequency(void)
{
    return sqrt(steel.E * side * side / 12 / steel.density) / (L * L);
}

/* --- rotating beams -----------------------------------------------------------------------------
 */

/* Legendre's polynomial of degree k with its derivatives at -1 <= x <= 1. */
static void legendre(int k, double x, double p[3])
{
    double a[3] = {1, 0, 0}, b[3] = {x, 1, 0};
    memcpy(p, k ? b : a, sizeof a);
    for (int n = 1; n < k; n++) {
        double f = (2 * n + 1) / (n + 1.0), g = n / (n + 1.0);
        p[0] = f * x * b[0] - g * a[0];
        p[1] = f * (b[0] + x * b[1]) - g * a[1];
        p[2] = f * (2 * b[1] + x * b[2]) - g * a[2];
        memcpy(a, b, sizeof a);
        memcpy(b, p, sizeof a);
    }
}

/* Circular frequencies of EI v'''' - (N v')' + rho A vdd = 0 at a speed W, by Galerkin's method
 * with polynomials. Cantilever (x from its root): N = rho A W^2 (L^2 - x^2) / 2. Free (x from the
 * middle): rho A W^2 (L^2/4 - x^2) / 2, motions without momentum. In the units EI, rho A, L. */
static void exact(bool free_ends, double W, int count, double *omega)
{
    enum { TERMS = 14, PIECES = 20, POINTS = 4 };
    static const double at[] = {0.0694318442029737, 0.3300094782075719, 0.6699905217924281,
                                0.9305681557970263};
    static const double weight[] = {0.1739274225687269, 0.3260725774312731};
    double K[TERMS * TERMS] = {0}, M[TERMS * TERMS] = {0}, values[TERMS];
    for (int i = 0; i < PIECES * POINTS; i++) {
        double s = (i / POINTS + at[i % POINTS]) / PIECES;
        double w = weight[i % POINTS % 3 != 0] / PIECES, f[TERMS][3];
        for (int k = 0; k < TERMS; k++) {
            double p[3];
            legendre(free_ends ? k + 2 : k, 2 * s - 1, p);
            f[k][0] = free_ends ? p[0] : s * s * p[0];
            f[k][1] = free_ends ? 2 * p[1] : 2 * s * p[0] + 2 * s * s * p[1];
            f[k][2] = free_ends ? 4 * p[2] : 2 * p[0] + 8 * s * p[1] + 4 * s * s * p[2];
        }
        double N = W * W * (free_ends ? s * (1 - s) : (1 - s * s)) / 2;
        for (int j = 0; j < TERMS; j++)
            for (int k = 0; k < TERMS; k++) {
                K[j * TERMS + k] += w * (f[j][2] * f[k][2] + N * f[j][1] * f[k][1]);
                M[j * TERMS + k] += w * f[j][0] * f[k][0];
            }
    }
    assert_true(lmb_dense_symmetric_general(TERMS, K, M, values));
    for (int k = 0; k < count; k++)
        omega[k] = sqrt(values[k]);
}

/* The reference itself: known frequencies of a cantilever with W = 0, 1, 12 (Wright, Smith,
 * Thresher and Wang, Journal of Applied Mechanics 49, 1982), to the digits that are printed. */
static void the_reference_is_that_of_the_literature(void **unused)
{
    (void)unused;
    static const double speed[] = {0, 1, 12}, first[] = {3.5160, 3.6817, 13.1702},
                        second[] = {22.0345, 22.1810, 37.6031};
    for (int i = 0; i < 3; i++) {
        double omega[2];
        exact(false, speed[i], 2, omega);
        assert_close(omega[0], first[i], 2e-5); /* as they are printed */
        assert_close(omega[1], second[i], 2e-5);
    }
}

/* Frequencies of a part that turns about z with W, at the deformation that this makes. */
static int rotating(const part *p, double W, double *found)
{
    double q[PART_ROOM] = {0}, v[PART_ROOM] = {0};
    bool planar = p->mesh->dimension == 2;
    q[3] = planar ? 0 : 1;
    v[planar ? 2 : 5] = W;
    part_settle(p, q, v, NULL);
    return part_frequencies(p, q, v, found);
}

/* A cantilever with the frame at its root: deflections along the axis of rotation have the
 * frequencies w of the reference, those across it sqrt(w^2 - W^2). Whatever is kept, and whether
 * the tip is an interface point or not: with bending alone the tension comes from the centrifugal
 * loads, with all modes from the stretching modes. */
static void rotating_cantilevers_stiffen(void **unused)
{
    (void)unused;
    for (int c = 0; c < 6; c++) {
        bool planar = c % 2, tip = c >= 2, all = c >= 4;
        lmb_reduction options = {.fixed = {.number = 20},
                                 .frame = LMB_FRAME_POINT,
                                 .keep = {.number = all      ? 0
                                                    : planar ? 5
                                                             : 10},
                                 .stiffening = true};
        part p = reduce_part(slender(planar ? 2 : 3), tip ? ELEMENTS : -1, options);
        for (int speed = 0; speed < 3; speed++) {
            double W = 4 * speed, unit = unit_frequency(), omega[2], found[PART_ROOM];
            int count = rotating(&p, W * unit, found);
            exact(false, W, 2, omega);
            for (int k = 0; k < 2; k++) {
                if (!planar)
                    assert_found(found, count, unit * omega[k], 1e-3);
                assert_found(found, count, unit * sqrt(omega[k] * omega[k] - W * W), 1e-3);
            }
        }
        drop_part(&p);
    }
}

/* A free beam that turns about its middle. */
static void free_beams_stiffen(void **unused)
{
    (void)unused;
    for (int all = 0; all < 2; all++) {
        lmb_reduction options = {
            .fixed = {.number = 20}, .keep = {.number = all ? 0 : 10}, .stiffening = true};
        part p = reduce_part(slender(3), ELEMENTS, options);
        for (int speed = 0; speed < 3; speed++) {
            double W = 10 * speed, unit = unit_frequency(), omega[2], found[PART_ROOM];
            int count = rotating(&p, W * unit, found);
            exact(true, W, 2, omega);
            for (int k = 0; k < 2; k++)
                assert_found(found, count, unit * omega[k], 1e-3);
        }
        drop_part(&p);
    }
}

/* Without stiffening the same beam loses its stiffness across the axis. */
static void without_stiffening_there_is_none(void **unused)
{
    (void)unused;
    lmb_reduction options = {
        .fixed = {.number = 20}, .frame = LMB_FRAME_POINT, .keep = {.number = 6}};
    part p = reduce_part(slender(3), -1, options);
    double unit = unit_frequency(), found[PART_ROOM], omega[1];
    assert_null(p.reduced->spin_stiffness);
    exact(false, 0, 1, omega);
    int count = rotating(&p, 3 * unit, found);
    assert_found(found, count, unit * omega[0], 1e-3);
    assert_found(found, count, unit * sqrt(omega[0] * omega[0] - 9), 1e-3);
    drop_part(&p);
}

/* A bar of solids, one end tied to its point: what spin adds to the square of its first frequency
 * along the axis is that of a beam, but for shear and the size of the section: 1 %. */
static void rotating_bars_of_solids_stiffen(void **unused)
{
    (void)unused;
    static const int cells[3] = {12, 1, 1};
    static const lmb_element_kind kinds[] = {LMB_HEX20, LMB_HEX8, LMB_HEX20};
    static const lmb_tie ties[] = {LMB_TIE_RIGID, LMB_TIE_RIGID, LMB_TIE_AVERAGE};
    for (int kind = 0; kind < 3; kind++) {
        lmb_mesh *mesh = box_mesh(kinds[kind], cells, v3(1, 0.03, 0.02), steel, NULL);
        lmb_fe_model *fe = model_of(mesh);
        int nodes[64], count = 0;
        for (int i = 0; i < fe->node_count; i++)
            if (fe->x[i].x < 1e-9)
                nodes[count++] = i;
        lmb_interface A = {"A", {0, 0.015, 0.01}, ties[kind], nodes, count};
        part p = {.mesh = mesh, .fe = fe, .arena = lmb_arena_new()};
        lmb_reduction options = {.fixed = {.number = 16},
                                 .frame = LMB_FRAME_POINT,
                                 .keep = {.number = 6},
                                 .stiffening = true};
        assert_ok(lmb_reduce(&p.reduced, context, fe, &A, 1, &options));
        make_body(&p, 3);
        double unit = sqrt(steel.E * 0.02 * 0.02 / 12 / steel.density), W = 4;
        double rest[PART_ROOM], spun[PART_ROOM], omega[2];
        rotating(&p, 0, rest);
        int found = rotating(&p, W * unit, spun);
        exact(false, 0, 1, omega);
        exact(false, W, 1, omega + 1);
        double more = (omega[1] * omega[1] - omega[0] * omega[0]) * unit * unit;
        assert_found(spun, found, sqrt(rest[0] * rest[0] + more), 5e-3);
        drop_part(&p);
    }
}

/* --- spin-up ------------------------------------------------------------------------------------
 */

/* The arm of Simo and Vu-Quoc (Journal of Applied Mechanics 53, 1986): from rest to 6 rad/s in 15 s
 * by the angle W/T (t^2/2 + (T/2pi)^2 (cos(2 pi t/T) - 1)). */
static const double spin = 6, duration = 15;

static part arm(lmb_reduction options)
{
    static const vec3 ends[] = {{0, 0, 0}, {10, 0, 0}};
    lmb_beam_line line = {.name = "arm",
                          .dimension = 2,
                          .points = ends,
                          .point_count = 2,
                          .elements = 20,
                          .section = {.name = "arm", .A = 1, .Iz = 5e-4},
                          .material = {"arm", 2.8e7, 0.3, 1.2, false}};
    lmb_mesh *mesh;
    assert_ok(lmb_beam_mesh(&mesh, context, &line));
    return reduce_part(mesh, 20, options);
}

/* Accelerations of the modes while the root is driven. */
static void drive(const part *p, double t, const double *eta, const double *rates, double *out)
{
    int modes = p->modal->modes, n = p->body.nv;
    double q[PART_ROOM] = {0}, v[PART_ROOM] = {0}, M[PART_ROOM * PART_ROOM], Q[PART_ROOM];
    double phase = 2 * LMB_PI * fmin(t, duration) / duration;
    v[2] = t < duration ? spin / duration * (t - duration / (2 * LMB_PI) * sin(phase)) : spin;
    double alpha = t < duration ? spin / duration * (1 - cos(phase)) : 0;
    memcpy(q + 3, eta, (size_t)modes * sizeof *q);
    memcpy(v + 3, rates, (size_t)modes * sizeof *v);
    lmb_body_at at = part_at(p, q, v);
    p->body.ops->mass(&at, M);
    p->body.ops->force(&at, v3(0, 0, 0), Q);
    for (int k = 0; k < modes; k++) /* modes are orthonormal */
        out[k] = Q[3 + k] - M[2 * n + 3 + k] * alpha;
}

/* The deflection of the tip at times, by Runge and Kutta's method; the least of all is returned. */
static double spin_up(const part *p, double h, const double *times, int count, double *tip)
{
    static const double c[] = {0, 0.5, 0.5, 1}, w[] = {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6};
    enum { MOST = 16 };
    int modes = p->modal->modes, next = 0;
    double x[MOST] = {0}, v[MOST] = {0}, least = 0;
    assert_true(modes <= MOST);
    for (int step = 0; next < count; step++) {
        double t = step * h, k[MOST] = {0}, a[MOST] = {0}, dx[MOST] = {0}, dv[MOST] = {0}, y = 0;
        for (int j = 0; j < modes; j++)
            y += x[j] * p->modal->points[1].psi[j].y;
        least = fmin(least, y);
        if (t > times[next] - h / 2)
            tip[next++] = y;
        for (int s = 0; s < 4; s++) {
            double at[MOST], rates[MOST];
            for (int j = 0; j < modes; j++) {
                at[j] = x[j] + c[s] * h * k[j];
                rates[j] = v[j] + c[s] * h * a[j];
            }
            drive(p, t + c[s] * h, at, rates, a);
            for (int j = 0; j < modes; j++) {
                k[j] = rates[j];
                dx[j] += w[s] * h * k[j];
                dv[j] += w[s] * h * a[j];
            }
        }
        for (int j = 0; j < modes; j++) {
            x[j] += dx[j];
            v[j] += dv[j];
        }
    }
    return least;
}

/* Against a geometrically exact beam (16 quadratic elements, step 1.25 ms): within 1 % of the
 * largest deflection, with bending modes alone and with a stretching mode among them (the ninth).
 * Without stiffening the arm has no stiffness left at 4 rad/s. */
static void an_arm_is_spun_up(void **unused)
{
    (void)unused;
    static const double times[] = {2.5, 5, 7.5, 10, 12.5, 15};
    static const double expected[] = {-.151284, -.468477, -.559091, -.362828, -.112701, .001307};
    static const int list[] = {1, 2, 3, 9};
    const double largest = .57384;
    for (int stretching = 0; stretching < 2; stretching++) {
        lmb_reduction options = {.fixed = {.number = 20},
                                 .frame = LMB_FRAME_POINT,
                                 .keep = {.list = list, .list_count = stretching ? 4 : 3},
                                 .stiffening = true};
        part p = arm(options);
        double tip[6];
        assert_int_equal(p.modal->stretch_count, stretching);
        double least = spin_up(&p, 1e-3, times, 6, tip);
        assert_true(fabs(least + largest) < 0.01 * largest);
        for (int i = 0; i < 6; i++)
            assert_true(fabs(tip[i] - expected[i]) < 0.01 * largest);
        drop_part(&p);
    }
    part p = arm(
        (lmb_reduction){.fixed = {.number = 20}, .frame = LMB_FRAME_POINT, .keep = {.number = 3}});
    double tip[6];
    assert_true(spin_up(&p, 1e-3, times, 6, tip) < -100 * largest);
    drop_part(&p);
}

/* --- interface loads ----------------------------------------------------------------------------
 */

/* The square of the lowest frequency under an axial force at B, over that without it. */
static double under_tension(const part *p, double force)
{
    double q[PART_ROOM] = {0}, v[PART_ROOM] = {0}, load[PART_ROOM], found[PART_ROOM], without[1];
    bool planar = p->mesh->dimension == 2;
    q[3] = planar ? 0 : 1;
    for (int k = 0; k < p->modal->modes; k++)
        load[k] = force * p->modal->points[1].psi[k].x;
    double room[PART_ROOM];
    part_frequencies(p, q, v, room);
    without[0] = room[0];
    part_settle(p, q, v, load);
    part_frequencies(p, q, v, found);
    return found[0] * found[0] / (without[0] * without[0]);
}

/* Between hinges (the frame of the chord) a beam under a force P has the frequency w0 sqrt(1 +
 * P/Pe), with Euler's load Pe, for tension and compression; just below Pe almost nothing is left.
 * With one end held the first frequency vanishes at Pe/4. */
static void axial_forces_change_frequencies(void **unused)
{
    (void)unused;
    static const double parts[] = {-0.999, -0.5, 0.5, 3};
    double euler = LMB_PI * LMB_PI * steel.E * pow(side, 4) / 12 / (L * L);
    for (int dimension = 2; dimension <= 3; dimension++) {
        lmb_reduction options = {.fixed = {.number = 20},
                                 .frame = LMB_FRAME_CHORD,
                                 .chord_point = 1,
                                 .stiffening = true};
        part p = reduce_part(slender(dimension), ELEMENTS, options);
        for (int i = 0; i < 4; i++)
            assert_close(under_tension(&p, parts[i] * euler), 1 + parts[i], 1e-3);
        drop_part(&p);
        options.frame = LMB_FRAME_POINT;
        p = reduce_part(slender(dimension), ELEMENTS, options);
        assert_close(under_tension(&p, -euler / 4 * 0.999), 0, 2e-3);
        drop_part(&p);
    }
}

/* A beam whose end is free to move along bends ten times its thickness as if nothing stretched it:
 * the stretching modes follow, and neither stiffen (locking) nor soften it. Where nothing
 * moves along instead, a deflection a sin(pi x/L) stretches it: EA/8 times the integral of v'^4. */
static void bending_alone_does_not_stretch(void **unused)
{
    (void)unused;
    lmb_reduction options = {
        .fixed = {.number = 20}, .frame = LMB_FRAME_CHORD, .chord_point = 1, .stiffening = true};
    part p = reduce_part(slender(2), ELEMENTS, options);
    const lmb_modal *m = p.modal;
    double q[PART_ROOM] = {0}, v[PART_ROOM] = {0}, load[PART_ROOM] = {0};
    double deflection = 0, a;
    for (int i = 0; i < p.reduced->node_count; i++)
        deflection = fmax(deflection, fabs(p.reduced->shape[3 * i + 1]));
    a = 10 * side / deflection;
    load[0] = m->K[0] * a;
    part_settle(&p, q, v, load);
    assert_close(q[3], a, 1e-9 * a);
    lmb_body_at at = part_at(&p, q, v);
    lmb_balance b = {0};
    p.body.ops->balance(&at, v3(0, 0, 0), &b);
    assert_close(b.elastic, m->K[0] * a * a / 2, 1e-9 * b.elastic);
    memset(q, 0, sizeof q);
    q[3] = a;
    p.body.ops->update(&at);
    p.body.ops->balance(&at, v3(0, 0, 0), &b);
    double EA = steel.E * side * side, expected = 3 * EA * L * pow(LMB_PI * 10 * side / L, 4) / 64;
    assert_close((b.elastic - m->K[0] * a * a / 2) / expected, 1, 0.01);
    drop_part(&p);
}

/* --- derivatives --------------------------------------------------------------------------------
 */

/* The elastic force is the gradient of the energy, the tangent that of the force, also where
 * deformations are large, and the energy is never negative. */
static void forces_follow_from_the_energy(void **unused)
{
    (void)unused;
    static const vec3 corners[] = {{0, 0, 0}, {0.6, 0.1, 0}, {1, 0.4, 0.3}};
    lmb_beam_line line = {.name = "arm",
                          .dimension = 3,
                          .points = corners,
                          .point_count = 3,
                          .elements = 4,
                          .material = {"soft", 2e7, 0.3, 1000, false}};
    lmb_mesh *mesh;
    assert_ok(lmb_section_rectangle(&line.section, context, 0.05, 0.08, 0.3));
    assert_ok(lmb_beam_mesh(&mesh, context, &line));
    part p = reduce_part(mesh, 4, (lmb_reduction){.fixed = {.number = 4}, .stiffening = true});
    int n = p.body.nv, modes = p.modal->modes;
    assert_true(p.modal->stretch_count > 0);
    double q[PART_ROOM] = {0}, v[PART_ROOM] = {0}, Q[PART_ROOM], up[PART_ROOM], down[PART_ROOM];
    double zero[PART_ROOM] = {0}, *by_q = calloc(2 * (size_t)(n * n), sizeof *by_q), size = 0;
    unsigned seed = 3;
    q[3] = 1;
    for (int k = 0; k < modes; k++) {
        seed = seed * 1664525u + 1013904223u;
        q[7 + k] = 0.2 * ((double)(seed >> 8) / (1 << 24) - 0.5) / p.modal->size[k];
    }
    lmb_body_at at = part_at(&p, q, v);
    lmb_balance plus = {0}, minus = {0};
    p.body.ops->force(&at, v3(0, 0, 0), Q);
    p.body.ops->tangent(&at, v3(0, 0, 0), zero, &(lmb_window){by_q, by_q + n * n, n});
    for (int k = 0; k < n; k++)
        size = fmax(size, fabs(Q[k]) * 1e-7 + 1e-7 * fabs(by_q[k * n + k]));
    for (int k = 0; k < modes; k++) {
        double here = q[7 + k], eps = 1e-6 / p.modal->size[k];
        q[7 + k] = here + eps;
        p.body.ops->update(&at);
        p.body.ops->balance(&at, v3(0, 0, 0), &plus);
        p.body.ops->force(&at, v3(0, 0, 0), up);
        q[7 + k] = here - eps;
        p.body.ops->update(&at);
        p.body.ops->balance(&at, v3(0, 0, 0), &minus);
        p.body.ops->force(&at, v3(0, 0, 0), down);
        q[7 + k] = here;
        assert_true(plus.elastic > 0);
        assert_true(fabs((plus.elastic - minus.elastic) / (2 * eps) + Q[6 + k]) < size);
        for (int l = 0; l < modes; l++)
            assert_true(fabs((down[6 + l] - up[6 + l]) / (2 * eps) - by_q[(6 + k) * n + 6 + l]) <
                        size);
    }
    free(by_q);
    drop_part(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_reference_is_that_of_the_literature),
        cmocka_unit_test(rotating_cantilevers_stiffen),
        cmocka_unit_test(free_beams_stiffen),
        cmocka_unit_test(without_stiffening_there_is_none),
        cmocka_unit_test(rotating_bars_of_solids_stiffen),
        cmocka_unit_test(an_arm_is_spun_up),
        cmocka_unit_test(axial_forces_change_frequencies),
        cmocka_unit_test(bending_alone_does_not_stretch),
        cmocka_unit_test(forces_follow_from_the_energy),
    };
    return cmocka_run_group_tests(tests, open_models, close_models);
}
