/* Geometry meshed by gmsh: the real one is not needed, a script of that name takes its place. */
#include "import/mesh_file.h"

#include <sys/stat.h>

#include "import/mesh_read.h"

static const char mesh[] =
    "$MeshFormat\\n2.2 0 8\\n$EndMeshFormat\\n$Nodes\\n4\\n1 0 0 0\\n2 1 0 0\\n"
    "3 0 1 0\\n4 0 0 1\\n$EndNodes\\n$Elements\\n1\\n1 4 0 1 2 3 4\\n"
    "$EndElements\\n";

/* Puts a program `gmsh` into a folder of its own at the beginning of PATH; NULL: none at all. */
static void install(fixture *f, const char *script)
{
    char path[2000];
    remove(scratch_path("bin/gmsh"));
    if (script)
        chmod(write_text(f, "bin/gmsh", script), 0755);
    const char *folder = scratch_path("bin/gmsh");
    snprintf(path, sizeof path, "%.*s%s", (int)(strrchr(folder, '/') - folder), folder,
             script ? ":/usr/bin:/bin" : "");
    setenv("PATH", path, 1);
    write_text(f, "part.step", "ISO-10303-21;\n");
}

static lmb_status mesh_of(fixture *f, const char *path, double size, int order,
                          const lmb_units *units)
{
    const lmb_meshing how = {path, size, order, LMB_MESHING_SECONDS};
    return lmb_gmsh_run(&f->mesh, f->context, f->arena, &how, units);
}

static void test_run(void **state)
{
    fixture *f = *state;
    char script[2000];
    snprintf(script, sizeof script,
             "#!/bin/sh\necho \"$@\" > \"$(dirname \"$0\")/arguments\"\n"
             "while [ \"$1\" != -o ]; do shift; done\nprintf '%s' > \"$2\"\n",
             mesh);
    install(f, script);
    const lmb_units *u = lmb_units_of(f->context, (lmb_place){0}, "mm-t-s");
    const char *part = scratch_path("part.step");
    assert_int_equal(mesh_of(f, part, 2.5, 2, u), LMB_OK);
    assert_int_equal(f->mesh->element_count, 1);
    assert_true(f->mesh->x[1].x == 0.001);
    assert_string_equal(f->mesh->file, part);
    FILE *file = fopen(scratch_path("bin/arguments"), "r");
    char line[2000] = "";
    assert_non_null(file);
    assert_non_null(fgets(line, sizeof line, file));
    fclose(file);
    assert_non_null(strstr(line, "geometry.step -3 -order 2 -clmax 2.5 "));
}

static void test_failures(void **state)
{
    fixture *f = *state;
    install(f, "#!/bin/sh\necho 'Info : x'\necho 'Error : no volume'\nexit 1\n");
    const char *part = scratch_path("part.step");
    assert_int_equal(mesh_of(f, part, 0, 1, NULL), LMB_BAD_INPUT);
    assert_message(f->context, "gmsh could not mesh");
    assert_message(f->context, "Error : no volume");
    install(f, "#!/bin/sh\nexit 0\n");
    assert_int_equal(mesh_of(f, part, 0, 1, NULL), LMB_BAD_INPUT);
    install(f, NULL);
    assert_int_equal(mesh_of(f, part, 0, 1, NULL), LMB_IO);
    assert_message(f->context, "not installed");
    const char *none = scratch_path("none.step");
    assert_int_equal(mesh_of(f, none, 0, 1, NULL), LMB_IO);
    assert_message(f->context, "cannot read");
    assert_true(lmb_is_geometry("a/b.STEP") && lmb_is_geometry("b.geo"));
    assert_false(lmb_is_geometry("a.geo/b") || lmb_is_geometry("a.msh"));
    assert_true(lmb_is_geometry_script("a.GEO") && !lmb_is_geometry_script("a.geo.step"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_run, start, finish),
        cmocka_unit_test_setup_teardown(test_failures, start, finish),
    };
    return cmocka_run_group_tests_name("geometry meshed by gmsh", tests, NULL, NULL);
}
