/* The models zoo.yaml (space) and zoo-plane.yaml (plane) have every kind of the tables of the
 * program. All commands that compute or show something run on them through the built program. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/analysis.h"
#include "analysis/begin.h"
#include "integrate/motion.h"
#include "joints/joint.h"
#include "limber/limber.h"
#include "model/fields.h"
#include "model/kinds.h"
#include "program.h"
#include "read/tree.h"
#include "support.h"
#include "system/saddle.h"

typedef struct zoo {
    int dimension;
    const char *model, *result; /* paths */
    lmb_arena *arena;
    lmb_tree *tree; /* of the model */
} zoo;

static zoo zoos[] = {{.dimension = 3, .model = "tests/run/zoo.yaml"},
                     {.dimension = 2, .model = "tests/run/zoo-plane.yaml"}};
enum { ZOOS = sizeof zoos / sizeof *zoos };

static lmb_context *context;

static char *read_text(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    char *text = NULL;
    FILE *out = open_memstream(&text, size);
    for (int c; (c = fgetc(file)) != EOF;)
        fputc(c, out);
    fclose(file);
    fclose(out);
    return text;
}

/* Parse YAML, and so JSON; the text must stay. */
static lmb_tree *parse(lmb_arena *arena, const char *name, const char *text)
{
    lmb_tree *tree = NULL;
    if (lmb_yaml_parse(&tree, context, arena, name, text))
        fail_msg("%s: %s", name, lmb_message_at(context, 0)->text);
    return tree;
}

/* --- kinds ------------------------------------------------------------------------------------ */

/* What one of the models cannot have. */
static const struct {
    int dimension; /* 0: both */
    const char *word, *reason;
} absent[] = {
    {3, "assembly", "an accelerometer needs analyses with motion"},
    {2, "accelerometer", "an assembly has no motion"},
    {2, "rosette", "it sits on the surface of a solid"},
    {2, "mesh", "meshes are in space"},
    {2, "matrices", "so are their matrices"},
    {0, "arrays", "a program attaches them"},
};
static bool occurred[sizeof absent / sizeof *absent];

static bool may_be_absent(const zoo *z, const char *word)
{
    for (size_t i = 0; i < sizeof absent / sizeof *absent; i++)
        if (strcmp(absent[i].word, word) == 0 &&
            (absent[i].dimension == 0 || absent[i].dimension == z->dimension))
            return occurred[i] = true;
    return false;
}

/* Whether a key occurs below a node, with a word as its value or an item of that (NULL: any). */
static bool holds(const lmb_tree *node, const char *key, const char *word)
{
    for (int i = 0; node && node->kind != LMB_TREE_TEXT && i < node->count; i++) {
        const lmb_tree *item = node->items[i];
        bool named = node->kind == LMB_TREE_MAP && strcmp(node->keys[i]->text, key) == 0;
        if (named && (!word || (item->kind == LMB_TREE_TEXT && strcmp(item->text, word) == 0)))
            return true;
        if (holds(item, key, word))
            return true;
    }
    return false;
}

/* Fail unless a section has a kind: a key, or the value of a key. */
static void check_kind(const zoo *z, const char *section, const char *key, const char *word)
{
    bool there = holds(lmb_tree_get(z->tree, section), key, word);
    const char *kind = word ? word : key;
    if (there == may_be_absent(z, kind))
        fail_msg("%s %s '%s' in its section '%s'", z->model,
                 there ? "need not be without" : "does not have", kind, section);
}

static void check_words(const zoo *z, const char *section, const lmb_field *fields, const char *key)
{
    const lmb_field *f = lmb_find_field(fields, key);
    char words[200], *rest = words;
    snprintf(words, sizeof words, "%s", f->choices);
    for (char *word; (word = strtok_r(rest, " ", &rest));)
        if (!f->otherwise_doc || strcmp(f->otherwise_doc, word) != 0)
            check_kind(z, section, key, word);
}

static void check_bodies(const zoo *z)
{
    const lmb_kinds *kinds = &lmb_kinds_default;
    for (int i = 0; kinds->bodies[i]; i++) {
        if (i > 0 && !kinds->bodies[i]->marks) /* the first kind needs no 'type' */
            check_kind(z, "bodies", "type", kinds->bodies[i]->name);
        for (const lmb_field *f = kinds->bodies[i]->fields; f && f->name; f++)
            if (strncmp(f->doc, "Makes it a flexible body", 24) == 0)
                check_kind(z, "bodies", f->name, NULL);
    }
    for (const lmb_section_type *t = lmb_section_types; t->name; t++)
        check_kind(z, "bodies", t->name, NULL);
    static const char *const keys[] = {"1", "2", "3"};
    for (int i = 0; i < 3; i++)
        check_kind(z, "bodies", "order", keys[i]);
    check_kind(z, "bodies", "coordinates", "natural");
    check_kind(z, "bodies", "stiffening", "true");
}

static void check_parts(const zoo *z)
{
    const lmb_kinds *kinds = &lmb_kinds_default;
    for (int i = 0; kinds->joints[i]; i++)
        if (kinds->joints[i]->dimension == 0 || kinds->joints[i]->dimension == z->dimension)
            check_kind(z, "joints", "type", kinds->joints[i]->name);
    for (int i = 0; kinds->forces[i]; i++)
        check_kind(z, "forces", "type", kinds->forces[i]->name);
    for (const lmb_instrument_type *t = lmb_instrument_types; t->name; t++)
        check_kind(z, "sensors", t->name, NULL);
    for (const lmb_field *f = lmb_driver_fields; f->name; f++)
        check_kind(z, "drivers", f->name, NULL);
    for (const lmb_field *f = lmb_event_fields; f->name; f++)
        check_kind(z, "events", f->name, NULL);
    for (const lmb_field *f = lmb_objective_fields; f->type == LMB_FIELD_TREE; f++)
        check_kind(z, "objectives", f->name, NULL);
    check_words(z, "objectives", lmb_objective_fields, "smooth");
}

static void check_analyses(const zoo *z)
{
    const lmb_kinds *kinds = &lmb_kinds_default;
    for (int i = 0; kinds->analyses[i]; i++)
        check_kind(z, "analyses", "type", kinds->analyses[i]->name);
    for (int i = 0; kinds->integrators[i]; i++)
        check_kind(z, "analyses", "integrator", kinds->integrators[i]->name);
    for (int i = 0; lmb_beginnings[i]; i++)
        check_kind(z, "analyses", "begin", lmb_beginnings[i]->name);
    check_words(z, "analyses", lmb_analysis_fields, "follow");
}

static void all_kinds_are_in_the_models(void **unused)
{
    (void)unused;
    for (const zoo *z = zoos; z < zoos + ZOOS; z++) {
        check_bodies(z);
        check_parts(z);
        check_analyses(z);
    }
    for (size_t i = 0; i < sizeof absent / sizeof *absent; i++)
        if (!occurred[i])
            fail_msg("no table has '%s' any more", absent[i].word);
}

/* --- results ---------------------------------------------------------------------------------- */

static lmb_result *open_result(const zoo *z)
{
    lmb_result *result;
    assert_int_equal(lmb_result_open(&result, context, z->result), LMB_OK);
    return result;
}

/* Fail unless numbers are finite; those that the meaning of the channel explains may be NaN. */
static void check_finite(const zoo *z, const lmb_series *s)
{
    for (size_t k = 0; k < (size_t)s->count * (size_t)s->size; k++)
        if (!isfinite(s->values[k]) && !strstr(s->channel.doc, "NaN"))
            fail_msg("%s: '%s' is %g at %g", z->model, s->channel.name, s->values[k],
                     s->time[k / (size_t)s->size]);
}

/* Read a channel of an analysis; false if there is none. */
static bool read_channel(lmb_result *result, const char *analysis, const char *channel,
                         lmb_series *out)
{
    char name[300];
    snprintf(name, sizeof name, "%s/%s", analysis, channel);
    return lmb_result_read(result, context, name, out) == LMB_OK;
}

static double last_value(lmb_result *result, const char *analysis, const char *channel)
{
    lmb_series s;
    assert_true(read_channel(result, analysis, channel, &s));
    double value = s.values[s.count * s.size - 1];
    lmb_series_free(&s);
    return value;
}

static double range_of(lmb_result *result, const char *analysis, const char *channel)
{
    lmb_series s;
    assert_true(read_channel(result, analysis, channel, &s));
    double low = INFINITY, high = -INFINITY;
    for (int i = 0; i < s.count; i++) {
        low = fmin(low, s.values[i]);
        high = fmax(high, s.values[i]);
    }
    lmb_series_free(&s);
    return high - low;
}

static void results_are_finite(void **unused)
{
    (void)unused;
    for (const zoo *z = zoos; z < zoos + ZOOS; z++) {
        lmb_result *result = open_result(z);
        assert_int_equal(lmb_result_analysis_count(result),
                         lmb_tree_count(lmb_tree_get(z->tree, "analyses")));
        for (int a = 0; a < lmb_result_analysis_count(result); a++)
            for (int i = 0; i < lmb_result_channel_count(result, a); i++) {
                lmb_series s;
                const char *name = lmb_result_channel(result, a, i)->name;
                assert_true(read_channel(result, lmb_result_analysis_name(result, a), name, &s));
                check_finite(z, &s);
                lmb_series_free(&s);
            }
        lmb_result_close(result);
    }
}

/* Joints are closed to rounding: coordinates of up to 20 m have 4e-15 m, a few joints in a row ten
 * times as much, and all are summed. Fixed steps may lose a part of the energy that the program
 * takes as a sign of long steps (src/run/watch.c). */
static void joints_are_closed_and_energy_is_conserved(void **unused)
{
    (void)unused;
    static const char *const parts[] = {"kinetic", "potential", "elastic", "supplied",
                                        "dissipated"};
    const double closed = 1e-12, lost = 0.05;
    for (const zoo *z = zoos; z < zoos + ZOOS; z++) {
        lmb_result *result = open_result(z);
        for (int a = 0; a < lmb_result_analysis_count(result); a++) {
            const char *analysis = lmb_result_analysis_name(result, a);
            double exchanged = 0;
            lmb_series s;
            assert_true(read_channel(result, analysis, "constraints.position", &s));
            for (int i = 0; i < s.count; i++)
                assert_true(s.values[i] <= closed);
            lmb_series_free(&s);
            if (!read_channel(result, analysis, "energy.balance", &s))
                continue;
            lmb_series_free(&s);
            for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
                char name[40];
                snprintf(name, sizeof name, "energy.%s", parts[i]);
                exchanged = fmax(exchanged, range_of(result, analysis, name));
            }
            double balance = range_of(result, analysis, "energy.balance");
            if (balance > lost * exchanged)
                fail_msg("%s: %s loses %g J of %g J", z->model, analysis, balance, exchanged);
        }
        lmb_result_close(result);
    }
}

static void events_occur_and_loads_arrive(void **unused)
{
    (void)unused;
    for (const zoo *z = zoos; z < zoos + ZOOS; z++) {
        const char *height = z->dimension == 3 ? "whip.b.position.z" : "whip.b.position.y";
        lmb_result *result = open_result(z);
        assert_close(last_value(result, "fall", "cut.count"), 1, 0);
        assert_close(last_value(result, "fall", "catch.count"), 1, 0);
        assert_close(last_value(result, "fall", "end.time"), 0.0036, 1e-12);
        /* only dynamics has events: the spring that `cut` releases still acts at the end */
        assert_true(last_value(result, "fall", "strut.effort") == 0);
        assert_true(last_value(result, "need", "strut.effort") < 0);
        /* statics solves to 1e-12 of a model of 20 m */
        assert_close(last_value(result, "bend", "path.load"), 1, 1e-12);
        assert_close(last_value(result, "bend", height), last_value(result, "rest", height), 1e-9);
        /* both have the tolerance 1e-6, a relative error per step */
        double one = last_value(result, "fall_rk45", height);
        double other = last_value(result, "fall_ida", height);
        assert_true(fabs(one - other) <= 10 * 1e-6 * fabs(one));
        lmb_result_close(result);
    }
}

/* Paths of equilibria have exact steps, which redundant locks make hard: all solvers go the same
 * way, to a thousand times the 1e-11 that Newton's method on a path allows. */
static void solvers_agree_on_a_path(void **unused)
{
    (void)unused;
    for (const zoo *z = zoos; z < zoos + ZOOS; z++) {
        const char *height = z->dimension == 3 ? "whip.b.position.z" : "whip.b.position.y";
        const char *path = scratch_path("path.h5");
        lmb_result *all = open_result(z), *result;
        double expected = last_value(all, "bend", height);
        for (const lmb_saddle_family *f = lmb_saddle_families; f->name; f++) {
            check_run(
                run_limber("run %s --analysis bend --solver %s -o %s", z->model, f->name, path), 0,
                "");
            assert_int_equal(lmb_result_open(&result, context, path), LMB_OK);
            assert_true(fabs(last_value(result, "bend", height) - expected) <= 1e-8);
            assert_close(last_value(result, "bend", "path.unstable"), 0, 0);
            lmb_result_close(result);
        }
        lmb_result_close(all);
    }
}

/* --- commands --------------------------------------------------------------------------------- */

/* Run a command that prints JSON; check that the numbers of a key are finite. Returns how many. */
static int check_json(lmb_run_result run, const char *key)
{
    int count = 0;
    char *end, quoted[60];
    lmb_arena *arena = lmb_arena_new();
    if (run.code != 0)
        fail_msg("code %d: %s", run.code, run.err);
    assert_non_null(parse(arena, "JSON", run.out));
    snprintf(quoted, sizeof quoted, "\"%s\": ", key);
    for (const char *at = run.out; (at = strstr(at, quoted)); at = end, count++) {
        double x = strtod(at + strlen(quoted), &end);
        if (end == at + strlen(quoted) || !isfinite(x))
            fail_msg("%.40s is not a number", at);
    }
    lmb_arena_free(arena);
    free_run(&run);
    return count;
}

static void linear_analyses_and_gradients_are_computed(void **unused)
{
    (void)unused;
    for (const zoo *z = zoos; z < zoos + ZOOS; z++) {
        const char *height = z->dimension == 3 ? "load.z --output whip.b.position.z"
                                               : "load.y --output whip.b.position.y";
        size_t objectives = lmb_tree_count(lmb_tree_get(z->tree, "objectives"));
        check_run(run_limber("check %s", z->model), 0, "degrees of freedom");
        check_run(run_limber("modes %s --as-placed", z->model), 0, "whip");
        assert_true(
            check_json(run_limber("modes %s --analysis small --json", z->model), "frequency") > 8);
        check_run(run_limber("response %s --analysis rest --input %s --from 1 --to 100 --points 5",
                             z->model, height),
                  0, "amplitude");
        assert_int_equal(check_json(run_limber("gradient %s --by h --json", z->model), "value"),
                         objectives);
        check_json(run_limber("matrices %s --analysis fall --json", z->model), "time");
        check_run(run_limber("matrices %s --analysis fall --embedded", z->model), 0, "Mr");
    }
}

static void tables_are_exported(void **unused)
{
    (void)unused;
    for (const zoo *z = zoos; z < zoos + ZOOS; z++) {
        const char *csv = scratch_path("zoo.csv"), *mat = scratch_path("zoo.mat");
        size_t size, lines = 0, columns = 1;
        lmb_series s;
        lmb_result *result = open_result(z);
        assert_true(read_channel(result, "fall", "crank.position", &s));
        check_run(run_limber("export %s --analysis fall --csv %s", z->result, csv), 0, "");
        char *text = read_text(csv, &size);
        for (const char *c = text; *c; c++) {
            lines += *c == '\n';
            columns += lines == 0 && *c == ',';
        }
        assert_int_equal(lines, s.count + 1);
        assert_true(columns > 100);
        assert_null(strstr(text, "inf"));
        free(text);
        check_run(run_limber("export %s --analysis fall --mat %s", z->result, mat), 0, "");
        text = read_text(mat, &size);
        assert_int_equal(strncmp(text, "MATLAB 5.0 MAT-file", 19), 0);
        assert_true(size > (size_t)s.count * columns * sizeof(double));
        free(text);
        lmb_series_free(&s);
        lmb_result_close(result);
    }
}

/* Binary glTF: a header, then the length and the type of the part that is JSON. */
static void check_gltf(const zoo *z, const char *path)
{
    size_t size;
    uint32_t head[5];
    char *bytes = read_text(path, &size);
    lmb_arena *arena = lmb_arena_new();
    memcpy(head, bytes, sizeof head);
    assert_int_equal(strncmp(bytes, "glTF", 4), 0);
    assert_int_equal(head[2], size);
    bytes[sizeof head + head[3]] = 0;
    lmb_tree *json = parse(arena, "glTF", bytes + sizeof head);
    const lmb_tree *bodies = lmb_tree_get(z->tree, "bodies");
    for (int i = 0; i < bodies->count; i++)
        if (!holds(lmb_tree_get(json, "nodes"), "name", bodies->keys[i]->text))
            fail_msg("no node '%s' in %s", bodies->keys[i]->text, path);
    assert_true(lmb_tree_count(lmb_tree_get(json, "animations")) > 0);
    lmb_arena_free(arena);
    free(bytes);
}

static void pictures_are_exported(void **unused)
{
    (void)unused;
    for (const zoo *z = zoos; z < zoos + ZOOS; z++) {
        const char *folder = scratch_path("vtk"), *gltf = scratch_path("zoo.glb");
        char command[600];
        lmb_series s;
        lmb_result *result = open_result(z);
        assert_true(read_channel(result, "fall", "crank.position", &s));
        snprintf(command, sizeof command, "rm -rf %s", folder);
        check_run(run_shell(command), 0, "");
        check_run(
            run_limber("export %s --analysis fall --vtk %s --gltf %s", z->result, folder, gltf), 0,
            "");
        snprintf(command, sizeof command, "ls %s/*.vtu | wc -l", folder);
        lmb_run_result run = run_shell(command);
        assert_int_equal(atoi(run.out), s.count);
        free_run(&run);
        check_gltf(z, gltf);
        lmb_series_free(&s);
        lmb_result_close(result);
    }
}

static void reports_have_all_bodies(void **unused)
{
    (void)unused;
    for (const zoo *z = zoos; z < zoos + ZOOS; z++) {
        const char *html = scratch_path("zoo.html");
        size_t size;
        char name[100];
        check_run(run_limber("report %s -o %s", z->result, html), 0, "");
        char *page = read_text(html, &size);
        lmb_run_result run = run_limber("participation %s --analysis fall", z->result);
        assert_int_equal(run.code, 0);
        const lmb_tree *bodies = lmb_tree_get(z->tree, "bodies");
        for (int i = 0; i < bodies->count; i++) {
            const char *body = bodies->keys[i]->text;
            snprintf(name, sizeof name, "\"name\": \"%s.position\"", body);
            if (!strstr(page, name))
                fail_msg("the report of %s does not have body '%s'", z->model, body);
            if (lmb_tree_get(bodies->items[i], "reduction") && !strstr(run.out, body))
                fail_msg("no participation of '%s':\n%s", body, run.out);
        }
        free_run(&run);
        free(page);
    }
}

/* --- life ------------------------------------------------------------------------------------- */

static int open_zoos(void **unused)
{
    (void)unused;
    context = lmb_context_new();
    for (zoo *z = zoos; z < zoos + ZOOS; z++) {
        size_t size;
        char *text = read_text(z->model, &size);
        z->arena = lmb_arena_new();
        z->tree = parse(z->arena, z->model, lmb_text_copy(z->arena, text, size));
        z->result = scratch_path(z->dimension == 3 ? "zoo.h5" : "zoo-plane.h5");
        free(text);
        check_run(run_limber("run %s -o %s", z->model, z->result), 0, "Results are in");
    }
    return 0;
}

static int close_zoos(void **unused)
{
    (void)unused;
    for (zoo *z = zoos; z < zoos + ZOOS; z++)
        lmb_arena_free(z->arena);
    lmb_context_free(context);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_kinds_are_in_the_models),
        cmocka_unit_test(results_are_finite),
        cmocka_unit_test(joints_are_closed_and_energy_is_conserved),
        cmocka_unit_test(events_occur_and_loads_arrive),
        cmocka_unit_test(solvers_agree_on_a_path),
        cmocka_unit_test(linear_analyses_and_gradients_are_computed),
        cmocka_unit_test(tables_are_exported),
        cmocka_unit_test(pictures_are_exported),
        cmocka_unit_test(reports_have_all_bodies),
    };
    return cmocka_run_group_tests(tests, open_zoos, close_zoos);
}
