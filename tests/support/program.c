/* Running the built program through the shell. */
#define _GNU_SOURCE /* program_invocation_short_name */
#include "program.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "support.h"

enum { PATHS = 100, PATH_ROOM = 1024, COMMAND_ROOM = 8192 };

static void give_up(const char *what)
{
    fprintf(stderr, "tests: %s: %s\n", what, strerror(errno));
    exit(1);
}

/* A path of a folder below that of all tests, which is made. */
static const char *path_in(const char *folder, const char *name)
{
    static char paths[PATHS][PATH_ROOM];
    char full[PATH_ROOM];
    snprintf(full, sizeof full, LIMBER_SCRATCH "/%s/%s", folder, name);
    int i = 0;
    while (i < PATHS - 1 && paths[i][0] && strcmp(paths[i], full) != 0)
        i++;
    char *path = memcpy(paths[i], full, sizeof full);
    /* each folder on the way */
    for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = 0;
        if (mkdir(path, 0777) != 0 && errno != EEXIST)
            give_up(path);
        *slash = '/';
    }
    return path;
}

const char *scratch_path(const char *name)
{
    const char *test = program_invocation_short_name;
    return path_in(strncmp(test, "test_", 5) == 0 ? test + 5 : test, name);
}

const char *scratch_text(const char *name, const char *text)
{
    const char *path = scratch_path(name);
    FILE *file = fopen(path, "w");
    if (!file || fputs(text, file) < 0 || fclose(file) != 0)
        give_up(path);
    return path;
}

char *program_path(void)
{
    static char path[] = LIMBER_PROGRAM;
    return path;
}

static char *read_all(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (!file)
        give_up(path);
    size_t size = 0, room = 4096;
    char *text = malloc(room + 1);
    while (text) {
        size += fread(text + size, 1, room - size, file);
        if (size < room)
            break;
        room *= 2;
        text = realloc(text, room + 1);
    }
    if (!text)
        give_up("out of memory");
    text[size] = 0;
    fclose(file);
    return text;
}

lmb_run_result run_shell(const char *command)
{
    static const char mark[] = "%LIMBER%";
    static const char program[] = "'" LIMBER_PROGRAM "'";
    const char *out = scratch_path("stdout.txt"), *err = scratch_path("stderr.txt");
    char full[COMMAND_ROOM];
    int n = snprintf(full, sizeof full, "{ ");
    for (const char *c = command; *c && n < COMMAND_ROOM;) {
        bool here = strncmp(c, mark, sizeof mark - 1) == 0;
        n += here ? snprintf(full + n, sizeof full - (size_t)n, "%s", program)
                  : snprintf(full + n, sizeof full - (size_t)n, "%c", *c);
        c += here ? sizeof mark - 1 : 1;
    }
    if (n < COMMAND_ROOM)
        n += snprintf(full + n, sizeof full - (size_t)n, "\n} >'%s' 2>'%s' </dev/null", out, err);
    if (n >= COMMAND_ROOM) {
        errno = E2BIG;
        give_up(command);
    }
    int status = system(full);
    if (status < 0)
        give_up(full);
    int code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    return (lmb_run_result){code, read_all(out), read_all(err)};
}

lmb_run_result run_limber(const char *format, ...)
{
    char words[COMMAND_ROOM], command[COMMAND_ROOM + 16];
    va_list args;
    va_start(args, format);
    int n = vsnprintf(words, sizeof words, format, args);
    va_end(args);
    if (n < 0 || n >= COMMAND_ROOM) {
        errno = E2BIG;
        give_up(format);
    }
    snprintf(command, sizeof command, "%%LIMBER%% %s", words);
    return run_shell(command);
}

void free_run(lmb_run_result *run)
{
    free(run->out);
    free(run->err);
    *run = (lmb_run_result){0};
}

void check_run(lmb_run_result run, int code, const char *piece)
{
    if (run.code != code || (!strstr(run.out, piece) && !strstr(run.err, piece)))
        fail_msg("code %d, expected %d and '%s'\nout: %.3000s\nerr: %s", run.code, code, piece,
                 run.out, run.err);
    free_run(&run);
}

const char *example_result(const char *verb, const char *name)
{
    char command[COMMAND_ROOM];
    snprintf(command, sizeof command, "tests/support/example.sh %%LIMBER%% '%s' %s %s",
             path_in("examples-shared", ""), verb, name);
    check_run(run_shell(command), 0, name);
    snprintf(command, sizeof command, "%s/%s.h5", verb, name);
    return path_in("examples-shared", command);
}

double number_behind(const char *text, const char *piece)
{
    const char *at = strstr(text, piece);
    if (!at)
        fail_msg("there is no %s in: %s", piece, text);
    return at ? strtod(at + strlen(piece), NULL) : 0;
}

int printed_column(const char *result, const char *channel, int most, double *out)
{
    lmb_run_result run = run_limber("get %s %s", result, channel);
    char *rest = run.out;
    int count = 0;
    for (char *line; count < most && (line = strtok_r(rest, "\n", &rest)) != NULL; count++)
        out[count] = strtod(strchr(line, ' '), NULL);
    assert_int_equal(run.code, 0);
    free_run(&run);
    return count;
}
