/* The n-th allocation, or the n-th write, of Limber's own code fails, for many n and all verbs.
 *
 * A verb that has run out of memory ends with 4 and says so; one that cannot write ends with 5 and
 * says what; neither ends by a signal or leaves a file behind that is none of its outputs. Only the
 * cache, which can be made again, may be missing where all else is well.
 *
 * A process runs the verb once, so that all libraries are loaded, and is then forked for every n.
 * LIMBER_FAULTS=N tries every N-th, LIMBER_FAULTS_JOB=NAME one verb. Of a failure the addresses of
 * its calls are shown, for addr2line and the library limber_faulty. */
#define _GNU_SOURCE /* dladdr */
#include <dlfcn.h>
#include <fcntl.h>
#include <ftw.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "faults/inject.h"
#include "limber/context.h"
#include "program.h"
#include "support.h"

/* What a verb is tried with: a shell command that makes its input, and its words. */
typedef struct job {
    const char *name, *prepare, *words;
} job;

static const job jobs[] = {
    {"check", NULL, "check rigid.yaml"},
    {"run", NULL, "run rigid.yaml -o out.h5"},
    {"run, flexible", NULL, "run flexible.yaml -o out.h5"},
    {"run, cached", "%LIMBER% check flexible.yaml", "run flexible.yaml -o out.h5"},
    /* a file that may not grow ends the first run on its way */
    {"resume",
     "(ulimit -f 3000; %LIMBER% run rigid.yaml --set N=2500 --analysis turns -o in.h5);"
     " %LIMBER% list in.h5",
     "run rigid.yaml --set N=2500 --analysis turns -o in.h5 --resume"},
    {"report", "%LIMBER% run rigid.yaml -o in.h5", "report in.h5 -o out.html"},
    {"report, flexible", "%LIMBER% run flexible.yaml -o in.h5", "report in.h5 -o out.html"},
    {"plot", "%LIMBER% run rigid.yaml -o in.h5", "plot in.h5 slider.position pin.force -o out.svg"},
    {"plot, png", "%LIMBER% run rigid.yaml -o in.h5", "plot in.h5 slider.position --fft -o o.png"},
    {"export, csv", "%LIMBER% run rigid.yaml -o in.h5", "export in.h5 --csv out.csv"},
    {"export, mat", "%LIMBER% run rigid.yaml -o in.h5", "export in.h5 --mat out.mat"},
    {"export, vtk", "%LIMBER% run flexible.yaml --analysis swing -o in.h5",
     "export in.h5 --vtk out --step 0.01"},
    {"export, gltf", "%LIMBER% run flexible.yaml --analysis swing -o in.h5",
     "export in.h5 --gltf out.glb"},
    {"export, loads", "%LIMBER% run flexible.yaml --analysis swing -o in.h5",
     "export in.h5 --loads arm -o out.csv"},
    {"export, inp", "%LIMBER% run solid.yaml -o in.h5", "export in.h5 --loads bar -o out.inp"},
    {"export, vtu", "%LIMBER% run solid.yaml -o in.h5", "export in.h5 --loads bar -o out.vtu"},
    {"reduce", NULL, "reduce flexible.yaml -o out.h5"},
    {"reduce, mesh", NULL, "reduce bricks.yaml -o out.h5"},
    {"rotor", NULL, "rotor rotor.yaml -o out.h5 --report out.html"},
    {"spectrum", NULL, "spectrum record.csv -o out.svg"},
    {"list", "%LIMBER% run rigid.yaml -o in.h5", "list in.h5"},
    {"get", "%LIMBER% run rigid.yaml -o in.h5", "get in.h5 slider.position"},
    {"compare", "%LIMBER% run rigid.yaml -o in.h5", "compare in.h5 in.h5"},
    {"modes", NULL, "modes rigid.yaml --analysis turns --json"},
    {"modes, mesh", NULL, "modes bricks.inp --hold end --json"},
    {"matrices", NULL, "matrices rigid.yaml"},
    {"gradient", NULL, "gradient rigid.yaml --by k"},
    {"optimise", NULL, "optimise rigid.yaml -o out.h5 --jobs 1"},
    {"sweep", NULL, "sweep rigid.yaml -o out.h5 -o out.csv --jobs 1"},
};

enum { JOBS = sizeof jobs / sizeof *jobs, MOST_WORDS = 32, PATH_ROOM = 1024 };

/* --- folders: what is in them ----------------------------------------------------------------- */

enum { MOST_FILES = 200 };

/* The files of a folder, with the hash of their bytes. */
typedef struct listing {
    int count;
    char names[MOST_FILES][128];
    uint64_t hashes[MOST_FILES];
} listing;

static listing *into;
static size_t prefix;

static uint64_t hash_of(const char *path)
{
    unsigned char bytes[65536];
    uint64_t hash = 14695981039346656037u; /* FNV-1a */
    int fd = open(path, O_RDONLY);
    for (ssize_t n; fd >= 0 && (n = read(fd, bytes, sizeof bytes)) > 0;)
        for (ssize_t i = 0; i < n; i++)
            hash = (hash ^ bytes[i]) * 1099511628211u;
    if (fd >= 0)
        close(fd);
    return hash;
}

static int take(const char *path, const struct stat *about, int kind, struct FTW *where)
{
    (void)about, (void)where;
    if (kind == FTW_F && into->count < MOST_FILES) {
        snprintf(into->names[into->count], sizeof *into->names, "%s", path + prefix);
        into->hashes[into->count++] = hash_of(path);
    }
    return 0;
}

static void list_folder(const char *folder, listing *files)
{
    *files = (listing){0};
    into = files;
    prefix = strlen(folder) + 1;
    nftw(folder, take, 16, FTW_PHYS);
}

static int find(const listing *files, const char *name)
{
    for (int i = 0; i < files->count; i++)
        if (strcmp(files->names[i], name) == 0)
            return i;
    return -1;
}

static int remove_one(const char *path, const struct stat *about, int kind, struct FTW *where)
{
    (void)about, (void)kind;
    return where->level ? remove(path) : 0;
}

static void copy_file(const char *from, const char *to)
{
    char bytes[65536];
    int in = open(from, O_RDONLY), out = open(to, O_WRONLY | O_CREAT | O_TRUNC, 0666);
    bool fine = in >= 0 && out >= 0;
    for (ssize_t n; fine && (n = read(in, bytes, sizeof bytes)) > 0;)
        fine = write(out, bytes, (size_t)n) == n;
    close(in);
    close(out);
    if (!fine)
        abort();
}

/* --- one job ---------------------------------------------------------------------------------- */

/* What was tried and what came of it, of all jobs. It lies in memory that processes share. */
typedef struct totals {
    long tried, harmless, wrong;
} totals;

/* A job under way, of which trials are forked. */
typedef struct trials {
    const job *job;
    faults *shared;
    totals *all;
    char base[PATH_ROOM], work[PATH_ROOM], out[PATH_ROOM], err[PATH_ROOM];
    listing before, good, now; /* before the verb, after it, and after a trial */
    uint64_t printed;          /* by the verb */
} trials;

static int (*run_main)(int, char **);
static void (*use_faults)(faults *);
static void (*count_prints)(void);

/* The working folder as it is before the verb. */
static void restore(const trials *t)
{
    char from[2 * PATH_ROOM], to[2 * PATH_ROOM];
    nftw(t->work, remove_one, 16, FTW_PHYS | FTW_DEPTH);
    for (int i = 0; i < t->before.count; i++) {
        snprintf(from, sizeof from, "%s/%s", t->base, t->before.names[i]);
        snprintf(to, sizeof to, "%s/%s", t->work, t->before.names[i]);
        if (strchr(t->before.names[i], '/')) {
            *strrchr(to, '/') = 0;
            mkdir(to, 0777);
            snprintf(to, sizeof to, "%s/%s", t->work, t->before.names[i]);
        }
        copy_file(from, to);
    }
}

static int run_words(const char *words)
{
    char copy[PATH_ROOM], *list[MOST_WORDS] = {"limber"};
    int count = 1;
    snprintf(copy, sizeof copy, "%s", words);
    for (char *w = strtok(copy, " "); w; w = strtok(NULL, " "))
        list[count++] = w;
    return run_main(count, list);
}

static void redirect(const char *path, int to)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND, 0666);
    if (fd < 0 || dup2(fd, to) < 0)
        abort();
    close(fd);
}

/* Runs the verb in a process of its own; returns what waitpid says. */
static int try_one(trials *t, fault_kind kind, unsigned long at, bool lasting)
{
    restore(t);
    *t->shared = (faults){.kind = kind, .at = at, .lasting = lasting};
    pid_t pid = fork();
    if (pid == 0) {
        static const int deadly[] = {SIGSEGV, SIGABRT, SIGBUS, SIGFPE, SIGILL}; /* cmocka's */
        for (size_t i = 0; i < sizeof deadly / sizeof *deadly; i++)
            signal(deadly[i], SIG_DFL);
        setrlimit(RLIMIT_CPU, &(struct rlimit){60, 60});
        redirect(t->out, STDOUT_FILENO);
        redirect(t->err, STDERR_FILENO);
        count_prints();
        use_faults(t->shared);
        int code = run_words(t->job->words);
        use_faults(NULL);
        fflush(NULL);
        _exit(code);
    }
    int status = -1;
    if (pid < 0 || waitpid(pid, &status, 0) != pid)
        abort();
    list_folder(t->work, &t->now);
    return status;
}

/* Whether all is as without a failure but that nothing was kept in the cache. Results say how long
 * the run took, so that their bytes are not compared. */
static bool only_cache_missing(const trials *t)
{
    bool missing = false;
    for (int i = 0; i < t->good.count; i++) {
        const char *name = t->good.names[i];
        int k = find(&t->now, name);
        bool cache = strncmp(name, ".limber-cache", 13) == 0, timed = strstr(name, ".h5");
        missing = missing || (cache && k < 0);
        if (!cache && (k < 0 || (!timed && t->now.hashes[k] != t->good.hashes[i])))
            return false;
    }
    return missing && hash_of(t->out) == t->printed;
}

static const char *left_behind(const trials *t)
{
    for (int i = 0; i < t->now.count; i++)
        if (find(&t->before, t->now.names[i]) < 0 && find(&t->good, t->now.names[i]) < 0)
            return t->now.names[i];
    return NULL;
}

static bool said(const trials *t, const char *piece)
{
    char text[16384];
    int fd = open(t->err, O_RDONLY);
    ssize_t n = fd >= 0 ? read(fd, text, sizeof text - 1) : 0;
    close(fd);
    text[n > 0 ? n : 0] = 0;
    return strstr(text, piece) != NULL;
}

/* What is wrong with a trial, or NULL. */
static const char *wrong(const trials *t, fault_kind kind, int status)
{
    static char text[256];
    int code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    bool memory = kind == FAULT_MEMORY || kind == FAULT_PIECE;
    int right = memory ? LMB_SOLVER : LMB_IO;
    const char *words = memory ? "error: out of memory" : "error: cannot write";
    const char *file = left_behind(t);
    if (code < 0)
        snprintf(text, sizeof text, "signal %d", WTERMSIG(status));
    else if (code == 0 && (memory || !only_cache_missing(t)))
        snprintf(text, sizeof text, "ends with 0");
    else if (code && code != right)
        snprintf(text, sizeof text, "ends with %d instead of %d", code, right);
    else if (code && !said(t, words))
        snprintf(text, sizeof text, "does not say '%s'", words);
    else if (file)
        snprintf(text, sizeof text, "leaves %s behind", file);
    else
        return NULL;
    return text;
}

/* Where in the program a call failed, for addr2line. */
static void print_trace(const faults *f)
{
    for (int i = 0; i < f->depth; i++) {
        Dl_info about;
        if (dladdr(f->trace[i], &about) && strstr(about.dli_fname, "limber_faulty"))
            print_message(" %lx", (unsigned long)((char *)f->trace[i] - (char *)about.dli_fbase));
    }
    print_message("\n");
}

static void show(const trials *t, unsigned long n, const char *what)
{
    char command[3 * PATH_ROOM];
    print_message("%s: number %lu %s\n", t->job->words, n, what);
    print_trace(t->shared);
    snprintf(command, sizeof command, "head -c 600 %s", t->err);
    fflush(NULL);
    if (system(command))
        print_message("cannot show %s\n", t->err);
}

/* A way to fail, and how many times rarer it is tried than others. */
typedef struct way {
    const char *name;
    fault_kind kind;
    bool lasting;
    unsigned rarer;
} way;

static const way ways[] = {
    {"allocations", FAULT_MEMORY, false, 1},
    {"allocations and all after", FAULT_MEMORY, true, 2},
    {"pieces of arenas", FAULT_PIECE, false, 20},
    {"writes", FAULT_WRITE, false, 1},
    {"writes and all after", FAULT_WRITE, true, 1},
    {"prints", FAULT_PRINT, false, 1},
};

enum { WAYS = sizeof ways / sizeof *ways };

/* Fails every `stride`-th of all calls. */
static void try_way(trials *t, const way *w, unsigned stride)
{
    int status = try_one(t, w->kind, 0, false);
    unsigned long count = t->shared->count;
    totals own = {0};
    t->good = t->now;
    t->printed = hash_of(t->out);
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
        show(t, 0, "does not work");
        own.wrong++;
        count = 0;
    }
    for (unsigned long n = 1; n <= count; n += stride, own.tried++) {
        status = try_one(t, w->kind, n, w->lasting);
        const char *what = wrong(t, w->kind, status);
        own.harmless += status == 0;
        if (what && ++own.wrong <= 3)
            show(t, n, what);
    }
    if (count)
        print_message("%-18s %6lu %s: %ld failed, %ld harmless, %ld wrong\n", t->job->name, count,
                      w->name, own.tried, own.harmless, own.wrong);
    t->all->tried += own.tried;
    t->all->harmless += own.harmless;
    t->all->wrong += own.wrong;
}

static void shell(const char *folder, const char *command)
{
    char line[8192];
    snprintf(line, sizeof line, "cd %s && %s", folder, command);
    lmb_run_result run = run_shell(line);
    if (run.code)
        fail_msg("%s: %s", command, run.err);
    free_run(&run);
}

/* Makes the folders of a job and its input. */
static void prepare(trials *t, int index)
{
    char command[8192];
    const char *top = scratch_path("");
    t->job = &jobs[index];
    snprintf(t->base, sizeof t->base, "%s/%d-base", top, index);
    snprintf(t->work, sizeof t->work, "%s/%d-work", top, index);
    snprintf(t->out, sizeof t->out, "%s/%d-out", top, index);
    snprintf(t->err, sizeof t->err, "%s/%d-err", top, index);
    snprintf(command, sizeof command,
             "rm -rf %s %s && mkdir -p %s %s && cp tests/faults/models/* %s", t->base, t->work,
             t->base, t->work, t->base);
    shell(".", command);
    if (t->job->prepare)
        shell(t->base, t->job->prepare);
    list_folder(t->base, &t->before);
}

static void *shared_memory(size_t size)
{
    void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    assert_true(memory != MAP_FAILED);
    return memory;
}

static void load_program(void)
{
    void *library = dlopen(LIMBER_FAULTY, RTLD_NOW | RTLD_LOCAL);
    if (!library)
        fail_msg("%s", dlerror());
    *(void **)&run_main = dlsym(library, "limber_main");
    *(void **)&use_faults = dlsym(library, "faults_use");
    *(void **)&count_prints = dlsym(library, "faults_print");
    assert_true(run_main && use_faults && count_prints);
}

/* Runs the verb once, so that the process has loaded what it needs, then fails in all ways. */
static void try_job(trials *t, unsigned stride)
{
    load_program();
    /* without stamps, whose loss is no failure, so that files are probed */
    if (chdir(t->work) || setenv("TMPDIR", t->work, 1) || setenv("XDG_CACHE_HOME", "/dev/null", 1))
        _exit(1);
    restore(t);
    int out = dup(STDOUT_FILENO), err = dup(STDERR_FILENO);
    redirect(t->out, STDOUT_FILENO);
    redirect(t->err, STDERR_FILENO);
    run_words(t->job->words);
    fflush(NULL);
    dup2(out, STDOUT_FILENO);
    dup2(err, STDERR_FILENO);
    for (int i = 0; i < WAYS; i++)
        try_way(t, &ways[i], stride == 1 && ways[i].rarer < 20 ? 1 : stride * ways[i].rarer);
}

static unsigned given_stride(void)
{
#ifdef __SANITIZE_ADDRESS__
    enum { USUAL = 100 };
#else
    enum { USUAL = 20 };
#endif
    const char *given = getenv("LIMBER_FAULTS");
    int n = given ? atoi(given) : USUAL;
    return n > 0 ? (unsigned)n : 1;
}

/* All jobs, each in a process of its own. */
static void failures_are_told(void **unused)
{
    (void)unused;
    static trials t;
    const char *only = getenv("LIMBER_FAULTS_JOB");
    t.shared = shared_memory(sizeof *t.shared);
    t.all = shared_memory(sizeof *t.all);
    for (int i = 0; i < JOBS; i++) {
        if (only && strcmp(only, jobs[i].name) != 0)
            continue;
        prepare(&t, i);
        fflush(NULL);
        pid_t pid = fork();
        if (pid == 0) {
            try_job(&t, given_stride());
            fflush(NULL);
            _exit(0);
        }
        int status = -1;
        assert_int_equal(waitpid(pid, &status, 0), pid);
        assert_int_equal(status, 0);
    }
    print_message("all: %ld failed, %ld harmless, %ld wrong\n", t.all->tried, t.all->harmless,
                  t.all->wrong);
    assert_true(t.all->tried > 0);
    assert_int_equal(t.all->wrong, 0);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(failures_are_told)};
    if (argc == 3 && strcmp(argv[1], "--probe") == 0) { /* as the copy that the program starts */
        load_program();
        return run_main(argc, argv);
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
