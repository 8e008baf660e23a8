/* Neighbours of a model: what they share with it and what they leave alone, and what is refused
 * when their modes are aligned. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bodies/flexible.h"
#include "model/align.h"
#include "models.h"
#include "neighbours.h"
#include "program.h"
#include "read/reader.h"
#include "reduction/body_data.h"
#include "support.h"

/* --- what is shared, and what is left alone ----------------------------------------------------
 */

static const char twins[] =
    "limber: 1\ndimension: 2\nparameters: {h: 0.03, g: 0.02, c: 0.01}\nbodies:\n"
    "  a: {beam: {from: [0, 0], to: [1, 0], material: steel, section: {rectangle: {height: h, "
    "width: 0.02}}},\n"
    "      interfaces: {A: start, B: end}, damping: c, modes: [1e-3, 0, 0, 2e-3, 0],\n"
    "      reduction: {modes: 2, frame: {point: A}}}\n"
    "  b: {beam: {from: [0, 0], to: [1, 0], material: steel, section: {rectangle: {height: h, "
    "width: 0.02}}},\n"
    "      interfaces: {A: start, B: end}, reduction: {modes: 2, frame: {point: A}}}\n"
    "  d: {beam: {from: [0, 0], to: [1, 0], material: steel, section: {rectangle: {height: g, "
    "width: 0.02}}},\n"
    "      interfaces: {A: start, B: end}, reduction: {modes: 2, frame: {point: A}}}\n"
    "  e: {modal: {mass: 1, inertia: 0.1, stiffness: [c], modal_mass: [1], "
    "momentum: [[0.1, 0]]},\n"
    "      interfaces: {A: {point: [0, 0], displacements: [[1, 0]], rotations: [0]}}}\n";

static void test_shared(void **unused)
{
    (void)unused;
    lmb_model *base = model_at(twins, NULL, 0, NULL), *near = model_at(twins, "h", 0.03003, base);
    const lmb_body_data *own = lmb_body_data_of(&near->bodies[1]);
    double first = own->reduced->shape[5];
    const lmb_flexible *before = near->bodies[1].own, *given = base->bodies[1].own;
    assert_ptr_equal(own, lmb_body_data_of(&near->bodies[2]));
    assert_ptr_not_equal(own, lmb_body_data_of(&base->bodies[1]));
    assert_ptr_equal(lmb_body_data_of(&near->bodies[3]), lmb_body_data_of(&base->bodies[3]));
    const void *alone[2] = {near->bodies[3].own, near->bodies[4].own};
    assert_ok(lmb_model_align_modes(near, context, base));
    /* aligned data are new ones, and those of two bodies once more the same */
    assert_ptr_not_equal(lmb_body_data_of(&near->bodies[1]), own);
    assert_ptr_equal(lmb_body_data_of(&near->bodies[1]), lmb_body_data_of(&near->bodies[2]));
    assert_true(own->reduced->shape[5] == first);
    assert_ptr_equal(before->elasticity.data, own);
    assert_null(before->elasticity.T);
    assert_non_null(lmb_body_elasticity(&near->bodies[1])->T);
    assert_ptr_equal(near->bodies[3].own, alone[0]);
    assert_ptr_equal(near->bodies[4].own, alone[1]);
    /* modal coordinates at the start are those of the nearest modes, not of other signs */
    const lmb_flexible *after = near->bodies[1].own;
    assert_close(after->modes[0], given->modes[0], 1e-5);
    assert_close(after->modes[3], given->modes[3], 1e-5);
    /* the sizes that tolerances are measured with */
    const lmb_node *node = lmb_body_modal_node(&near->bodies[1]);
    assert_ptr_equal(node->size, modal_in(near, 1)->size);
    assert_true(near->columns[node->v].size == modal_in(near, 1)->size[0]);
    /* once more: nothing changes but rounding */
    double T[25];
    memcpy(T, after->elasticity.T, sizeof T);
    assert_ok(lmb_model_align_modes(near, context, base));
    for (int k = 0; k < 25; k++)
        assert_close(lmb_body_elasticity(&near->bodies[2])->T[k], T[k], 1e-12);
    lmb_model_free(near);
    /* damping alone: modes are the same */
    near = model_at(twins, "c", 0.0101, base);
    assert_ok(lmb_model_align_modes(near, context, base));
    assert_ptr_equal(lmb_body_data_of(&near->bodies[1]), lmb_body_data_of(&base->bodies[1]));
    assert_true(modal_in(near, 1)->C[0] > modal_in(base, 1)->C[0]);
    assert_null(lmb_body_elasticity(&near->bodies[1])->T);
    lmb_model_free(near);
    lmb_model_free(base);
}

/* A neighbour neither reads nor writes the cache beside the model file. */
static void test_cache(void **unused)
{
    (void)unused;
    const char *path = scratch_path("cached.yaml");
    lmb_model *models[3];
    lmb_spec *spec;
    char command[500];
    FILE *file = fopen(path, "w");
    fputs(twins, file);
    fclose(file);
    snprintf(command, sizeof command, "rm -rf %s", scratch_path(".limber-cache"));
    assert_int_equal(system(command), 0);
    lmb_model *base = model_at(twins, NULL, 0, NULL);
    for (int i = 0; i < 3; i++) {
        assert_ok(lmb_spec_load(&spec, context, path));
        assert_ok(lmb_spec_set(spec, context, "h", "0.031"));
        spec->like = i == 1 ? NULL : base;
        assert_ok(lmb_model_compile(&models[i], context, spec));
        lmb_spec_free(spec);
        assert_int_equal(access(scratch_path(".limber-cache"), F_OK), i ? 0 : -1);
    }
    for (int i = 0; i < 3; i++)
        lmb_model_free(models[i]);
    lmb_model_free(base);
}

/* --- messages --------------------------------------------------------------------------------- */

static void check_refused(const char *text, const char *parameter, double p, double other,
                          const char *message, const char *hint)
{
    lmb_model *base = model_at(text, parameter, p, NULL);
    lmb_model *near = model_at(text, parameter, other, base);
    lmb_messages_clear(context);
    assert_int_equal(lmb_model_align_modes(near, context, base), LMB_BAD_INPUT);
    assert_message(context, message);
    assert_message(context, hint);
    lmb_model_free(near);
    lmb_model_free(base);
}

static void test_messages(void **unused)
{
    (void)unused;
#define BODY(elements, reduction)                                                                  \
    "limber: 1\ndimension: 2\nparameters: {n: 10, f: 100, k: 2}\nbodies:\n"                        \
    "  rod: {beam: {from: [0, 0], to: [1, 0], material: steel, elements: " elements ",\n"          \
    "        section: {circle: {diameter: 0.02}}}, interfaces: {A: start, B: end},\n"              \
    "        reduction: " reduction "}\n"
    check_refused(BODY("n", "{modes: 2}"), "n", 10, 11,
                  "body 'rod' has 11 nodes, but 12 at a neighbouring value", "numbers of elements");
    check_refused(BODY("10", "{modes: 3, keep: {below: f}}"), "f", 100, 300,
                  "body 'rod' has 2 modes, but 3 at a neighbouring", "keep a number of modes");
    check_refused(BODY("10", "{modes: k, keep: 3}"), "k", 2, 3, "fixed-interface modes",
                  "keep a number of modes");
    check_refused(BODY("10", "{modes: 2}") "  more{i}: {repeat: {i: [10, n]}, mass: 1}\n", "n", 10,
                  11, "the model has 2 bodies, but 3", "repeat");
    /* a stiff and a soft direction change places: the mode that is dropped is the other one */
    const char *cross = "limber: 1\ndimension: 3\nparameters: {h: 0.03}\nbodies:\n"
                        "  rod: {beam: {from: [0, 0, 0], to: [1, 0, 0], material: steel,\n"
                        "        section: {rectangle: {height: h, width: 0.03}}},\n"
                        "        interfaces: {A: start, B: end}, reduction: {modes: 4, keep: 1,\n"
                        "        frame: {point: A}}}\n";
    check_refused(cross, "h", 0.02999, 0.03001,
                  "the modes of body 'rod' become others at a neighbouring", "keep another number");
    /* coordinates at the start of modes that are not determined */
    const char *start = "limber: 1\ndimension: 3\nparameters: {h: 0.03}\nbodies:\n"
                        "  rod: {beam: {from: [0, 0, 0], to: [1, 0, 0], material: steel,\n"
                        "        section: {rectangle: {height: h, width: 0.03}}},\n"
                        "        interfaces: {A: start, B: end}, modes: [1e-3, 0],\n"
                        "        reduction: {modes: 4, keep: 2, frame: {point: A}}}\n";
    check_refused(start, "h", 0.02999, 0.03001, "body 'rod' starts with a coordinate of its mode 1",
                  "leave 'modes' out");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_shared),
        cmocka_unit_test(test_cache),
        cmocka_unit_test(test_messages),
    };
    return cmocka_run_group_tests(tests, open_models, close_models);
}
