/* Measure `limber export --loads` for one instant of a boom with 100 000 nodes: CPU time and
 * memory. The limits are 1 s and 500 MB. */
#define _DEFAULT_SOURCE /* wait4 */
#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static const char model[] =
    "limber: 1\\ndimension: 3\\ngravity: [0, 0, -9.81]\\nbodies:\\n"
    "  boom:\\n    mesh: {file: boom.msh, material: steel}\\n"
    "    interfaces: {foot: {nodes: foot}, ram: {nodes: ram}, head: {nodes: head}}\\n"
    "    reduction: {modes: 12}\\n"
    "joints: {hinge: {type: fixed, between: [ground, boom.foot]}}\\n"
    "forces: {load: {type: force, at: boom.head, force: [0, 0, -30000]}}\\n"
    "analyses: {rest: {type: statics}}\\n";

static void call(const char *folder, const char *command)
{
    char text[5 * PATH_MAX];
    snprintf(text, sizeof text, "cd '%s' && %s", folder, command);
    if (system(text) != 0) {
        fprintf(stderr, "failed: %s\n", text);
        exit(1);
    }
}

/* Run only the export and return the resources that it used. */
static struct rusage export_loads(const char *folder, const char *program)
{
    struct rusage used = {0};
    int status = 0;
    pid_t child = fork();
    if (child == 0 && chdir(folder) == 0) {
        execl(program, program, "export", "boom.h5", "--loads", "boom", "-o", "loads.inp", NULL);
        _exit(127);
    }
    if (child < 0 || wait4(child, &status, 0, &used) < 0 || status != 0) {
        fputs("limber export failed\n", stderr);
        exit(1);
    }
    return used;
}

static double seconds(struct timeval t)
{
    return (double)t.tv_sec + 1e-6 * (double)t.tv_usec;
}

int main(int count, char **words)
{
    char folder[] = "/tmp/limber-bench-XXXXXX", here[PATH_MAX], command[4 * PATH_MAX];
    char program[PATH_MAX + 16];
    (void)count;
    if (!mkdtemp(folder) || !realpath(words[0], here))
        return 1;
    snprintf(program, sizeof program, "%s/limber", dirname(dirname(here)));
    snprintf(command, sizeof command,
             "%s_parts boom hex20 0.05 boom.msh && printf '%s' > boom.yaml && "
             "%s run boom.yaml --quiet -o boom.h5",
             program, model, program);
    call(folder, command);
    export_loads(folder, program); /* another process verifies a new cache file once */
    struct rusage used = export_loads(folder, program);
    printf("export of one instant: %.2f s of CPU (%.2f s in the kernel), %.0f MB\n",
           seconds(used.ru_utime) + seconds(used.ru_stime), seconds(used.ru_stime),
           (double)used.ru_maxrss / 1024);
    call("/tmp", strcat(strcpy(command, "rm -r "), folder));
    return 0;
}
