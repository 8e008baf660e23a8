/* Runs all inputs that are kept of the fuzz targets: the files of corpus/NAME through the target
 * NAME. Prints the name of an input before it is run, so that the last one is the one that crashed.
 */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "fuzz.h"

#define TARGET(name) int fuzz_##name(const uint8_t *data, size_t size);
#include "targets.inc"
#undef TARGET

typedef int target_function(const uint8_t *data, size_t size);

static const struct {
    const char *name;
    target_function *run;
} targets[] = {
#define TARGET(name) {#name, fuzz_##name},
#include "targets.inc"
#undef TARGET
};

/* Runs one input, in memory of its own size, so that a byte too many is seen. */
static void run_input(target_function *run, const char *path)
{
    lmb_context *context = lmb_context_new();
    char *text;
    size_t size;
    if (!context || lmb_read_file(&text, &size, context, path) != LMB_OK)
        exit(1);
    uint8_t *data = malloc(size ? size : 1);
    if (!data)
        exit(1);
    memcpy(data, text, size);
    printf("%s\n", path);
    fflush(stdout);
    run(data, size);
    free(data);
    free(text);
    lmb_context_free(context);
}

/* Runs the inputs of a target; returns their number. */
static int run_corpus(const char *corpora, const char *name, target_function *run)
{
    char path[1024];
    int count = 0;
    snprintf(path, sizeof path, "%s/%s", corpora, name);
    DIR *folder = opendir(path);
    for (struct dirent *entry; folder && (entry = readdir(folder));) {
        if (entry->d_name[0] == '.')
            continue;
        snprintf(path, sizeof path, "%s/%s/%s", corpora, name, entry->d_name);
        run_input(run, path);
        count++;
    }
    if (folder)
        closedir(folder);
    return count;
}

int main(int argc, char **argv)
{
    int all = 0, empty = 0;
    for (size_t i = 0; argc == 2 && i < sizeof targets / sizeof *targets; i++) {
        int count = run_corpus(argv[1], targets[i].name, targets[i].run);
        printf("%d inputs of %s\n", count, targets[i].name);
        all += count;
        empty += count == 0;
    }
    if (empty)
        printf("%d targets have no inputs\n", empty);
    printf("%d inputs\n", all);
    return all == 0 || empty ? 1 : 0;
}
