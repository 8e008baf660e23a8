/* Runs inputs of the fuzz targets without libFuzzer: the files of corpus/NAME through the target
 * NAME, or consecutive seeds through one target. Prints an input before it is run, so that the last
 * one is the one that crashed.
 *
 *   fuzz_corpora CORPORA
 *   fuzz_corpora --seeds FIRST COUNT NAME */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

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
static void run_bytes(target_function *run, const void *bytes, size_t size)
{
    uint8_t *data = malloc(size ? size : 1);
    if (!data)
        exit(1);
    memcpy(data, bytes, size);
    run(data, size);
    free(data);
}

static void run_input(target_function *run, const char *path)
{
    lmb_context *context = lmb_context_new();
    char *text;
    size_t size;
    if (!context || lmb_read_file(&text, &size, context, path) != LMB_OK)
        exit(1);
    printf("%s\n", path);
    fflush(stdout);
    run_bytes(run, text, size);
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

/* Runs seeds, eight bytes each, the lowest one first. */
static int run_seeds(uint64_t first, uint64_t count, const char *name)
{
    size_t i = 0, all = sizeof targets / sizeof *targets;
    while (i < all && strcmp(targets[i].name, name) != 0)
        i++;
    for (uint64_t k = 0; i < all && k < count; k++) {
        uint8_t bytes[8];
        for (int b = 0; b < 8; b++)
            bytes[b] = (uint8_t)((first + k) >> 8 * b);
        printf("seed %llu\n", (unsigned long long)(first + k));
        fflush(stdout);
        run_bytes(targets[i].run, bytes, sizeof bytes);
    }
    printf("%s: %llu seeds, %.0f s of CPU\n", name, (unsigned long long)(i < all ? count : 0),
           (double)clock() / CLOCKS_PER_SEC);
    return i < all ? 0 : 1;
}

int main(int argc, char **argv)
{
    if (argc == 5 && strcmp(argv[1], "--seeds") == 0)
        return run_seeds(strtoull(argv[2], NULL, 10), strtoull(argv[3], NULL, 10), argv[4]);
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
