/* What is drawn of beams: outlines of sections, closed prisms, and stresses of their fibres. */
#include "support.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "channels/stress_state.h"
#include "fe/properties.h"
#include "scene/skin_beams.h"
#include "models.h"
#include "skins.h"
#include "system/model.h"

/* Curves are drawn with so many sides: the area of the polygon over that of the circle. */
static double polygon(void)
{
    double angle = 2 * LMB_PI / LMB_OUTLINE_ROUND;
    return sin(angle) / angle;
}

enum { SECTIONS = 5 };

static const struct {
    const char *text;
    bool round;
} sections[SECTIONS] = {
    {"{rectangle: {width: 0.08, height: 0.12}}", false},
    {"{circle: {diameter: 0.1}}", true},
    {"{tube: {diameter: 0.1, wall: 0.012}}", true},
    {"{box: {width: 0.08, height: 0.12, wall: 0.01}}", false},
    {"{I: {height: 0.12, width: 0.08, web: 0.01, flange: 0.015}}", false},
};

/* --- outlines --------------------------------------------------------------------------------- */

/* Area and second moments within the sides, by Green's theorem, of what is on their left. */
static void measure(const lmb_outline *o, const lmb_section *s, double out[3])
{
    memset(out, 0, 3 * sizeof *out);
    for (int i = 0; i < o->side_count; i++) {
        const lmb_outline_point *p = &o->point[o->side[i][0]], *q = &o->point[o->side[i][1]];
        double y = p->y * s->y_max, z = p->z * s->z_max, v = q->y * s->y_max, w = q->z * s->z_max;
        double cross = y * w - v * z;
        out[0] += cross / 2;
        out[1] += cross * (z * z + z * w + w * w) / 12;
        out[2] += cross * (y * y + y * v + v * v) / 12;
    }
}

/* The same area by the triangles of an end, all turned one way. */
static double end_area(const lmb_outline *o, const lmb_section *s)
{
    double area = 0;
    for (int i = 0; i < o->cap_count; i++) {
        const lmb_outline_point *c[3];
        for (int k = 0; k < 3; k++)
            c[k] = &o->point[o->side[o->cap[i][k]][0]];
        double one = ((c[1]->y - c[0]->y) * (c[2]->z - c[0]->z) -
                      (c[2]->y - c[0]->y) * (c[1]->z - c[0]->z)) /
                     2 * s->y_max * s->z_max;
        assert_true(one > 0);
        area += one;
    }
    return area;
}

static void outlines_have_the_area_of_sections(void **state)
{
    (void)state;
    lmb_section s[4];
    assert_ok(lmb_section_rectangle(&s[0], context, 0.1, 0.06, 0.3));
    assert_ok(lmb_section_box(&s[1], context, 0.1, 0.06, 0.004, 0.3));
    assert_ok(lmb_section_I(&s[2], context, 0.1, 0.06, 0.004, 0.007, 0.3));
    assert_ok(lmb_section_tube(&s[3], context, 0.1, 0.004, 0.3));
    for (int i = 0; i < 4; i++) {
        lmb_outline o = lmb_outline_of(&s[i], false);
        double found[3], part = i == 3 ? polygon() : 1;
        /* the second moment of a regular polygon: area r^2 (2 + cos) / 12 instead of area r^2 / 4
         */
        double angle = 2 * LMB_PI / LMB_OUTLINE_ROUND, second = i == 3 ? (2 + cos(angle)) / 3 : 1;
        measure(&o, &s[i], found);
        assert_close(found[0] / s[i].A, part, 1e-12);
        assert_close(found[1] / s[i].Iy, part * second, 1e-12);
        assert_close(found[2] / s[i].Iz, part * second, 1e-12);
        assert_close(end_area(&o, &s[i]) / s[i].A, part, 1e-12);
    }
}

/* An I whose web is as wide as its flanges is a rectangle. */
static void walls_that_fill_a_section_are_full(void **state)
{
    (void)state;
    lmb_section s;
    assert_ok(lmb_section_I(&s, context, 0.1, 0.06, 0.06, 0.01, 0.3));
    lmb_outline o = lmb_outline_of(&s, false);
    assert_int_equal(o.side_count, 8);
    assert_close(end_area(&o, &s), 0.1 * 0.06, 1e-12);
}

/* --- bodies ----------------------------------------------------------------------------------- */

/* A body of beams along a line, with a section. */
static lmb_model *beams(const char *line, const char *section)
{
    char text[1024];
    snprintf(text, sizeof text,
             "limber: 1\n"
             "dimension: 3\n"
             "bodies:\n"
             "  part:\n"
             "    beam: {%s, elements: 6, section: %s, y_axis: [0.2, 0.3, 1], material: steel}\n"
             "    interfaces: {A: start, B: end}\n"
             "    reduction: {modes: 4}\n",
             line, section);
    return model_of_text(text);
}

static lmb_skin skin_of(const lmb_model *model, lmb_arena *arena)
{
    lmb_skin skin;
    assert_ok(lmb_skin_of(&skin, arena, context, lmb_body_data_of(&model->bodies[1]), false));
    assert_int_equal(skin.line_count, 0);
    return skin;
}

/* A straight beam in any direction is one closed solid of its area times its length. */
static void straight_beams_are_closed(void **state)
{
    (void)state;
    for (int i = 0; i < SECTIONS; i++) {
        lmb_model *m = beams("from: [0.1, -0.2, 0.3], to: [1.3, 0.4, 0.7]", sections[i].text);
        lmb_skin skin = skin_of(m, m->arena);
        lmb_section s = lmb_line_section_of(lmb_body_data_of(&m->bodies[1]), 0);
        double part = sections[i].round ? polygon() : 1, length = 1.4;
        assert_skin_closed(&skin, 1e-6, true);
        assert_close(skin_volume(&skin) / (s.A * length), part, 1e-5); /* single precision */
        lmb_model_free(m);
    }
}

/* Where a beam turns a corner each leg is closed by itself. */
static void legs_are_closed(void **state)
{
    (void)state;
    for (int i = 0; i < SECTIONS; i++) {
        lmb_model *m = beams("along: [[0, 0, 0], [1.5, 0, 0], [1.5, 1, 0]]", sections[i].text);
        lmb_skin skin = skin_of(m, m->arena);
        lmb_section s = lmb_line_section_of(lmb_body_data_of(&m->bodies[1]), 0);
        assert_skin_closed(&skin, 1e-6, false);
        assert_close(skin_volume(&skin) / (s.A * 2.5), sections[i].round ? polygon() : 1, 1e-5);
        lmb_model_free(m);
    }
}

/* Random numbers of -1 to 1, the same in each run. */
static double any(void)
{
    static unsigned seed = 1;
    seed = seed * 1103515245 + 12345;
    return (double)(seed >> 8) / (1 << 23) - 1;
}

/* The stress of a node of the skin, for coordinates and accelerations. */
static void stress_at(const lmb_skin *s, int node, const double *strained, double out[6])
{
    size_t n = (size_t)s->node_count;
    memset(out, 0, 6 * sizeof *out);
    for (size_t k = 0; k < (size_t)(s->mode_count + s->further_count); k++)
        for (size_t c = 0; c < 6; c++)
            out[c] += strained[k] * (double)s->stresses[(k * n + (size_t)node) * 6 + c];
}

/* What is compared at the end of a line. */
typedef struct end_of_line {
    lmb_section section;
    lmb_section_forces forces;
    mat3 axes;
    vec3 x;
} end_of_line;

static end_of_line end_at(const lmb_body_data *d, const lmb_stress_state *all, int end)
{
    const double *f = all->ends + 6 * end, *y = d->line_axis + 3 * (end / 2);
    const int *nodes = d->lines + end / 2 * 2;
    vec3 along = v3_unit(v3_sub(d->reduced->x[nodes[1]], d->reduced->x[nodes[0]]));
    vec3 across = v3(y[0], y[1], y[2]);
    return (end_of_line){lmb_line_section_of(d, end / 2),
                         {f[0], f[1], f[2], f[3], f[4], f[5]},
                         {{along, across, v3_cross(along, across)}},
                         d->reduced->x[nodes[end % 2]]};
}

/* Each node has the stress of beam theory at the place where it is drawn, and the largest of an end
 * is that of the channels; on curves it is between those of a corner of the polygon and of the
 * middle of its side. */
static void check_stresses(const lmb_body_data *d, const lmb_skin *skin, const lmb_prisms *prisms,
                           bool round)
{
    lmb_stress_state *all = lmb_stress_state_new(d->arena, d);
    int modes = d->reduced->mode_count;
    double strained[64];
    for (int i = 0; i < modes; i++)
        strained[i] = 1e-3 * any();
    for (int i = modes; i < 2 * modes + LMB_CARRIED; i++)
        strained[i] = 100 * any();
    assert_int_equal(skin->mode_count + skin->further_count, 2 * modes + LMB_CARRIED);
    lmb_stress_state_find(all, (lmb_deformation){strained, strained + modes});
    for (int end = 0; end < 2 * d->line_count; end++) {
        end_of_line e = end_at(d, all, end);
        const lmb_section_forces *f = &e.forces;
        const lmb_section *s = &e.section;
        double scale = all->mises[end], most = 0;
        for (int i = 0; i < prisms->fibre_count; i++) {
            if (prisms->fibres[i].end != end)
                continue;
            double stress[6];
            stress_at(skin, i, strained, stress);
            vec3 arm = m3_tmul(&e.axes, v3_sub(skin_node(skin, i), e.x)), *a = e.axes.c;
            double normal = f->N / s->A - f->Mz * arm.y / s->Iz + f->My * arm.z / s->Iy;
            double shear =
                hypot(lmb_tensor_along(stress, a[0], a[1]), lmb_tensor_along(stress, a[0], a[2]));
            /* single precision of places and stresses, in sums of twenty */
            assert_close(lmb_tensor_along(stress, a[0], a[0]) / scale, normal / scale, 2e-5);
            assert_close(shear / scale, fabs(f->T) * s->torsion_radius / s->J / scale, 2e-5);
            most = fmax(most, lmb_von_mises(stress));
        }
        assert_true(most <= scale * (1 + 2e-5));
        assert_true(most >= scale * ((round ? cos(LMB_PI / LMB_OUTLINE_ROUND) : 1) - 2e-5));
    }
}

static void drawn_stresses_are_those_of_the_channels(void **state)
{
    (void)state;
    for (int i = 0; i < SECTIONS; i++) {
        lmb_model *m = beams("from: [0.1, -0.2, 0.3], to: [1.3, 0.4, 0.7]", sections[i].text);
        const lmb_body_data *d = lmb_body_data_of(&m->bodies[1]);
        lmb_skin skin = skin_of(m, m->arena);
        lmb_prisms prisms;
        assert_ok(lmb_prisms_of(&prisms, m->arena, context, d));
        assert_int_equal(prisms.fibre_count, skin.node_count);
        check_stresses(d, &skin, &prisms, sections[i].round);
        lmb_model_free(m);
    }
}

/* In the plane: both extreme fibres and the axis, at both ends. */
static void beams_in_the_plane_are_strips(void **state)
{
    (void)state;
    lmb_model *m = model_of_text(
        "limber: 1\n"
        "dimension: 2\n"
        "bodies:\n"
        "  part:\n"
        "    beam: {from: [0, 0], to: [1, 0], elements: 3, material: steel,\n"
        "           section: {I: {height: 0.12, width: 0.08, web: 0.01, flange: 0.015}}}\n"
        "    interfaces: {A: start, B: end}\n"
        "    reduction: {modes: 2}\n");
    lmb_skin skin = skin_of(m, m->arena);
    assert_int_equal(skin.node_count, 3 * 6);
    assert_int_equal(skin.triangle_count, 3 * 4);
    for (int i = 0; i < skin.node_count; i++) {
        double y = skin_node(&skin, i).y;
        assert_close(fmin(fabs(y), fabs(fabs(y) - 0.06)), 0, 1e-7);
    }
    lmb_model_free(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(outlines_have_the_area_of_sections),
        cmocka_unit_test(walls_that_fill_a_section_are_full),
        cmocka_unit_test(straight_beams_are_closed),
        cmocka_unit_test(legs_are_closed),
        cmocka_unit_test(drawn_stresses_are_those_of_the_channels),
        cmocka_unit_test(beams_in_the_plane_are_strips),
    };
    return cmocka_run_group_tests(tests, open_models, close_models);
}
