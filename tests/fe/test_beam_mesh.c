/* Meshes of beams along lines, sections and materials. */
#include <string.h>

#include "fe/properties.h"
#include "meshes.h"
#include "support.h"

static lmb_beam_line line_of(const vec3 *points, int count, int elements)
{
    return (lmb_beam_line){
        .name = "frame",
        .dimension = 2,
        .points = points,
        .point_count = count,
        .elements = elements,
        .section = {.name = "given", .A = 1e-4, .Iy = 1e-9, .Iz = 1e-9, .J = 2e-9},
        .material = {"steel", 210e9, 0.3, 7850, false}};
}

/* Legs of 1 and 3 m get two and six of eight elements; the points have names. */
static void elements_go_where_length_is(void **unused)
{
    (void)unused;
    static const vec3 points[] = {{0, 0, 0}, {1, 0, 0}, {1, 3, 0}};
    static const char *const names[] = {"foot", NULL, "top"};
    lmb_context *context = lmb_context_new();
    lmb_beam_line line = line_of(points, 3, 8);
    lmb_mesh *mesh;
    line.names = names;
    assert_int_equal(lmb_beam_mesh(&mesh, context, &line), LMB_OK);
    assert_int_equal(mesh->node_count, 9);
    assert_int_equal(mesh->element_count, 8);
    assert_close(mesh->x[2].x, 1, 0);
    assert_close(mesh->x[2].y, 0, 0);
    assert_close(mesh->x[3].y, 0.5, 1e-15);
    assert_int_equal(mesh->set_count, 2);
    assert_int_equal(lmb_mesh_set(mesh, "foot")->nodes[0], 0);
    assert_int_equal(lmb_mesh_set(mesh, "top")->nodes[0], 8);
    lmb_arena_free(mesh->arena);
    lmb_context_free(context);
}

static void rings_are_closed(void **unused)
{
    (void)unused;
    static const vec3 points[] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}, {0, 0, 0}};
    lmb_context *context = lmb_context_new();
    lmb_beam_line line = line_of(points, 5, 8);
    lmb_mesh *mesh;
    assert_int_equal(lmb_beam_mesh(&mesh, context, &line), LMB_OK);
    assert_int_equal(mesh->node_count, 8);
    assert_int_equal(mesh->connections[15], 0);
    lmb_fe_model *model = model_of(mesh);
    assert_int_equal(model->n, 24);
    lmb_arena_free(model->arena);
    lmb_arena_free(mesh->arena);
    lmb_context_free(context);
}

static void wrong_lines_are_refused(void **unused)
{
    (void)unused;
    static const vec3 points[] = {{0, 0, 0}, {1, 0, 0}, {1, 0, 0}};
    lmb_context *context = lmb_context_new();
    lmb_mesh *mesh;
    lmb_beam_line line = line_of(points, 3, 4);
    assert_int_equal(lmb_beam_mesh(&mesh, context, &line), LMB_BAD_INPUT);
    assert_message(context, "points 2 and 3 of the beam 'frame'");
    line = line_of(points, 3, 1);
    assert_int_equal(lmb_beam_mesh(&mesh, context, &line), LMB_BAD_INPUT);
    assert_message(context, "1 elements for 2 legs");
    line = line_of(points, 1, 1);
    assert_int_equal(lmb_beam_mesh(&mesh, context, &line), LMB_BAD_INPUT);
    assert_null(mesh);
    lmb_context_free(context);
}

/* Torsion of rectangles: Timoshenko and Goodier, Theory of Elasticity, section 109, four digits:
 * J = k1 a b^3, greatest stress T / (k2 a b^2). Shear factors: Cowper 1966, with nu = 0.3. */
static void sections_have_the_constants_of_the_books(void **unused)
{
    (void)unused;
    static const double ratio[] = {1, 2, 10}, k1[] = {0.1406, 0.229, 0.312},
                        k2[] = {0.208, 0.246, 0.312};
    lmb_context *context = lmb_context_new();
    lmb_section s;
    for (int i = 0; i < 3; i++) {
        assert_int_equal(lmb_section_rectangle(&s, context, 1, ratio[i], 0.3), LMB_OK);
        assert_close(s.J / ratio[i], k1[i], 6e-4);
        assert_close(s.torsion_radius / s.J, 1 / (k2[i] * ratio[i]), 5e-3);
    }
    assert_close(s.shear_y, 13 / 15.3, 1e-15);
    /* the square to six digits: 0.1405770 (Saint-Venant) */
    lmb_section_rectangle(&s, context, 1, 1, 0.3);
    assert_close(s.J, 0.1405770150, 1e-9);
    assert_int_equal(lmb_section_circle(&s, context, 2, 0.3), LMB_OK);
    assert_close(s.J, LMB_PI / 2, 1e-15);
    assert_close(s.shear_z, 7.8 / 8.8, 1e-15);
    /* a very thin tube: shear factor 2 (1 + nu) / (4 + 3 nu) */
    assert_int_equal(lmb_section_tube(&s, context, 2, 1e-9, 0.3), LMB_OK);
    assert_close(s.shear_y, 2.6 / 4.9, 1e-8);
    assert_close(s.J / (2 * LMB_PI * 1e-9), 1, 1e-8);
    lmb_context_free(context);
}

/* Sums over rectangles; Bredt for the closed box, thirds for the open I. */
static void walls_add_up(void **unused)
{
    (void)unused;
    lmb_context *context = lmb_context_new();
    lmb_section s;
    assert_int_equal(lmb_section_box(&s, context, 0.1, 0.06, 0.004, 0.3), LMB_OK);
    assert_close(s.A, 0.1 * 0.06 - 0.092 * 0.052, 1e-15);
    assert_close(s.Iz / ((0.06 * pow(0.1, 3) - 0.052 * pow(0.092, 3)) / 12), 1, 1e-12);
    double bredt = 4 * pow(0.096 * 0.056, 2) * 0.004 / (2 * (0.096 + 0.056));
    assert_close(s.J / bredt, 1, 0.005); /* the walls themselves give some thousandths */
    assert_true(s.shear_y > 0.3 && s.shear_y < 0.8 && s.shear_z > 0.2 && s.shear_z < s.shear_y);
    /* a thin square tube: 20 (1 + nu) / (48 + 39 nu) in Cowper's table */
    assert_int_equal(lmb_section_box(&s, context, 0.1, 0.1, 1e-4, 0.3), LMB_OK);
    assert_close(s.shear_y, 26 / 59.7, 1e-12);
    assert_int_equal(lmb_section_I(&s, context, 0.2, 0.1, 0.006, 0.01, 0.3), LMB_OK);
    assert_close(s.A, 2 * 0.1 * 0.01 + 0.18 * 0.006, 1e-15);
    double steiner = 2 * (0.1 * pow(0.01, 3) / 12 + 0.1 * 0.01 * 0.095 * 0.095);
    assert_close(s.Iz / (steiner + 0.006 * pow(0.18, 3) / 12), 1, 1e-12);
    /* the web carries the shear: its area over the whole, within a tenth */
    assert_close(s.shear_y / (0.19 * 0.006 / s.A), 1, 0.1);
    assert_int_equal(lmb_section_tube(&s, context, 0.1, 0.05, 0.3), LMB_BAD_INPUT);
    assert_int_equal(lmb_section_box(&s, context, 0.1, 0.1, 0.06, 0.3), LMB_BAD_INPUT);
    assert_int_equal(lmb_section_I(&s, context, 0.1, 0.1, 0.01, 0.06, 0.3), LMB_BAD_INPUT);
    assert_int_equal(lmb_section_rectangle(&s, context, -1, 1, 0.3), LMB_BAD_INPUT);
    assert_int_equal(lmb_section_circle(&s, context, 0, 0.3), LMB_BAD_INPUT);
    lmb_section none = {.name = "none", .A = 1, .Iy = 1, .Iz = 1};
    assert_int_equal(lmb_section_check(&none, context, true), LMB_OK);
    assert_int_equal(lmb_section_check(&none, context, false), LMB_BAD_INPUT);
    assert_message(context, "torsion constant J");
    lmb_context_free(context);
}

static void materials_are_known_and_checked(void **unused)
{
    (void)unused;
    lmb_context *context = lmb_context_new();
    assert_close(lmb_material_find("steel")->E, 210e9, 0);
    assert_null(lmb_material_find("unobtainium"));
    assert_ptr_equal(strstr(lmb_material_names(), "steel, stainless steel"), lmb_material_names());
    for (int i = 0; lmb_material_at(i); i++)
        assert_int_equal(lmb_material_check(lmb_material_at(i), context), LMB_OK);
    assert_int_equal(lmb_message_count(context), 0);
    const lmb_material odd[] = {{"g/cm3", 210e9, 0.3, 7.85, false},
                                {"tonne/mm3", 210e3, 0.3, 7.85e-9, false},
                                {"MPa", 210e3, 0.3, 7850, false},
                                {"kPa", 210e12, 0.3, 7850, false},
                                {"kg/dm3", 210e9, 0.3, 7.85e6, false}};
    for (int i = 0; i < 5; i++) {
        assert_int_equal(lmb_material_check(&odd[i], context), LMB_OK);
        assert_int_equal(lmb_message_count(context), i + 1);
        assert_message(context, odd[i].name);
    }
    const lmb_material wrong[] = {
        {"E", 0, 0.3, 1000, false}, {"nu", 1e9, 0.5, 1000, false}, {"rho", 1e9, 0.3, -1, false}};
    for (int i = 0; i < 3; i++)
        assert_int_equal(lmb_material_check(&wrong[i], context), LMB_BAD_INPUT);
    lmb_context_free(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(elements_go_where_length_is),
        cmocka_unit_test(rings_are_closed),
        cmocka_unit_test(wrong_lines_are_refused),
        cmocka_unit_test(sections_have_the_constants_of_the_books),
        cmocka_unit_test(walls_add_up),
        cmocka_unit_test(materials_are_known_and_checked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
