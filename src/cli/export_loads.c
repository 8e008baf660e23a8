/* limber export --loads: options, files, summary. */
#include "cli/export_loads.h"

#include <stdlib.h>
#include <string.h>

#include "cli/print.h"
#include "result/write.h"

/* Read the times of --at. */
static void read_times(const lmb_arguments *a, lmb_load_choice *choice)
{
    const char **words = lmb_option_values(a, "--at");
    int count = 0;
    while (words[count])
        count++;
    double *times = lmb_arena_numbers(a->arena, (size_t)count + 1);
    for (int i = 0; i < count && times; i++) {
        char *end;
        times[i] = strtod(words[i], &end);
        lmb_refuse(a, end == words[i] || *end || !isfinite(times[i]),
                   "--at must be a time (got '%s')", words[i]);
    }
    if (!times)
        *a->status = lmb_fail_memory(a->context);
    choice->at = times;
    choice->at_count = count;
}

static lmb_load_choice read_choice(const lmb_arguments *a, const lmb_load_writer *writer)
{
    lmb_load_choice choice = {.every = 1, .span = lmb_typed_span(a)};
    double every = 1;
    bool several = lmb_typed_number(a, "--every", 1, &every) || !lmb_span_is_all(choice.span);
    bool peak = lmb_option_value(a, "--peak") != NULL;
    read_times(a, &choice);
    lmb_refuse(a, every != floor(every) || every > 1e9,
               "--every must be a whole number from 1 on (got %g)", every);
    lmb_refuse(a, peak + several + (choice.at_count > 0) > 1,
               "choose instants by one of --at, --peak, or --from, --to and --every");
    choice.every = (int)fmin(every, 1e9);
    choice.peak = peak || (writer && writer->nodes && !several && choice.at_count == 0);
    return choice;
}

lmb_typed_loads lmb_typed_loads_read(const lmb_arguments *a)
{
    static const char *const others[] = {"--csv", "--mat", "--vtk", "--gltf", "--frames", "--step"};
    const char *as = lmb_option_value(a, "--as"), *path = lmb_option_value(a, "--output");
    const lmb_load_writer *writer = path ? lmb_load_writer_of(path) : NULL;
    lmb_typed_loads t = {.path = path, .displacements = as && strcmp(as, "displacements") == 0};
    lmb_refuse(a, as && !t.displacements && strcmp(as, "forces") != 0,
               "--as must be forces or displacements (got '%s')", as ? as : "");
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        lmb_refuse(a, lmb_option_value(a, others[i]),
                   "--loads and %s do not go together; the file of --loads is given with -o",
                   others[i]);
    lmb_refuse(a, a->count > 1, "--loads takes no channels (got '%s')", a->words[a->count > 1]);
    if (lmb_refuse(a, !path, "--loads needs the option -o FILE") ||
        lmb_refuse(a, path && !writer, "'%s' is not a load case format", path ? path : ""))
        lmb_hint(a->context, "-o FILE.inp for CalculiX and Abaqus, FILE.mac for Ansys, FILE.bdf "
                             "for Nastran, FILE.vtu for ParaView, or FILE.csv");
    lmb_refuse(a, writer && as && strcmp(writer->ending, ".csv") == 0,
               "--as is not for .csv files, which have forces and displacements");
    t.choice = read_choice(a, writer);
    return t;
}

/* Print the largest stress, and the range of single elements at its node. */
static void print_peak(lmb_result *result, int analysis, const lmb_load_cases *c)
{
    lmb_peak_stress p;
    if (!lmb_record_peak(result, analysis, c->body, &p) || p.time != c->time[0])
        return;
    fprintf(stderr, "The largest von Mises stress is %.4g Pa in node %.0f", p.stress, p.node);
    if (isfinite(p.lowest))
        fprintf(stderr, "; single elements at this node have %.4g to %.4g Pa", p.lowest, p.highest);
    fputs(".\n", stderr);
}

static void print_summary(const lmb_typed_loads *t, const lmb_load_cases *c, const lmb_load_body *b,
                          const lmb_load_summary *s)
{
    fprintf(stderr, "The loads of body '%s' are in %s: ", c->body, t->path);
    if (c->count == 1)
        fprintf(stderr, "t = %.9g s.\n", c->time[0]);
    else
        fprintf(stderr, "%d instants from t = %.9g to %.9g s.\n", c->count, c->time[0],
                c->time[c->count - 1]);
    if (b)
        fprintf(stderr,
                "A rigid acceleration removed a resultant of %.3g N and %.3g N m (%.2g %% of the "
                "loads).\n",
                v3_norm(s->removed.force), v3_norm(s->removed.moment), 100 * s->share);
}

lmb_status lmb_export_loads(const lmb_arguments *a, lmb_result *result, int analysis,
                            const lmb_typed_loads *t)
{
    lmb_load_cases *cases;
    lmb_load_body *body = NULL;
    lmb_load_summary summary;
    lmb_status status = lmb_load_cases_read(&cases, a->context, result, analysis,
                                            lmb_option_value(a, "--loads"), &t->choice);
    if (status)
        return status;
    lmb_progress_start(a->context, false);
    if (lmb_load_writer_of(t->path)->nodes)
        status = lmb_load_body_read(&body, a->context, result, cases);
    if (!status)
        status = lmb_load_cases_write(&summary, a->context, cases, body, t->displacements, t->path);
    lmb_progress_done(a->context);
    if (!status)
        print_summary(t, cases, body, &summary);
    if (!status && t->choice.peak)
        print_peak(result, analysis, cases);
    lmb_load_body_free(body);
    lmb_arena_free(cases->arena);
    return status;
}
