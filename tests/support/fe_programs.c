#include "fe_programs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bars.h"
#include "program.h"
#include "support.h"

bool has_ccx(void)
{
    bool there = system("command -v ccx > /dev/null") == 0;
    if (!there)
        puts("skipped: CalculiX (Debian's calculix-ccx) is not installed");
    assert_true(there || !getenv("CI"));
    return there;
}

void write_inp_mesh(const lmb_mesh *mesh, double length, double mass, const char *path)
{
    FILE *out = fopen(path, "w");
    assert_non_null(out);
    put_inp_elements(out, mesh, length, 12);
    for (int i = 0; i < mesh->set_count; i++) {
        fprintf(out, "*NSET, NSET=%s\n", mesh->sets[i].name);
        for (int k = 0; k < mesh->sets[i].count; k++)
            fprintf(out, "%d,\n", mesh->number[mesh->sets[i].nodes[k]]);
    }
    /* steel; E in mass / length / s^2 */
    fprintf(out,
            "*MATERIAL, NAME=ST\n*ELASTIC\n%.9g, 0.3\n*DENSITY\n%.9g\n"
            "*SOLID SECTION, ELSET=all, MATERIAL=ST\n",
            210e9 * mass / length, 7850 * mass / (length * length * length));
    assert_int_equal(fclose(out), 0);
}

const char *solve_with_ccx(const char *name, const char *mesh, const char *loads)
{
    char deck[1024], file[64], command[2048];
    snprintf(deck, sizeof deck, "*INCLUDE, INPUT=%s\n*INCLUDE, INPUT=%s\n", mesh, loads);
    snprintf(file, sizeof file, "%s.inp", name);
    scratch_text(file, deck);
    snprintf(command, sizeof command, "cd '%s' && OMP_NUM_THREADS=1 ccx %s", scratch_path(""),
             name);
    lmb_run_result run = run_shell(command);
    if (run.code || strstr(run.out, "*ERROR"))
        fail_msg("ccx %s: %s", name, strstr(run.out, "*ERROR") ? strstr(run.out, "*ERROR") : "");
    free_run(&run);
    snprintf(file, sizeof file, "%s.frd", name);
    return scratch_path(file);
}

void read_frd(const char *path, const char *block, int node, double out[6])
{
    char line[256], name[16] = "", number[16];
    bool inside = false;
    FILE *in = fopen(path, "r");
    assert_non_null(in);
    while (fgets(line, sizeof line, in)) {
        if (strncmp(line, " -4", 3) == 0 && sscanf(line + 3, "%15s", name) == 1)
            inside = strcmp(name, block) == 0;
        if (!inside || strncmp(line, " -1", 3) != 0)
            continue;
        snprintf(number, sizeof number, "%.10s", line + 3);
        if (atoi(number) != node)
            continue;
        for (int k = 0; k < 6 && 13 + 12 * (k + 1) < (int)strlen(line) + 1; k++) {
            snprintf(number, sizeof number, "%.12s", line + 13 + 12 * k);
            out[k] = strtod(number, NULL);
        }
        fclose(in);
        return;
    }
    fclose(in);
    fail_msg("%s has no %s of node %d", path, block, node);
}
