/* limber gradient: the objectives of a model and their derivatives by its parameters. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cli/load.h"
#include "cli/print.h"
#include "report/gradient_sheet.h"
#include "study/gradient.h"

/* The number of the word of an option in a list; 0, the default, without the option. */
static int typed_word(const lmb_arguments *a, const char *option, const char *const *words,
                      const char *list)
{
    const char *word = lmb_option_value(a, option);
    int number = 0;
    while (word && words[number] && strcmp(words[number], word) != 0)
        number++;
    bool unknown = word && !words[number];
    lmb_refuse(a, unknown, "'%s %s' is not %s", option, word ? word : "", list);
    return unknown ? 0 : number;
}

static lmb_gradient_method typed_method(const lmb_arguments *a)
{
    return (lmb_gradient_method)typed_word(a, "--method", lmb_gradient_methods,
                                           "direct, adjoint or differences");
}

static lmb_gradient_basis typed_basis(const lmb_arguments *a)
{
    return (lmb_gradient_basis)typed_word(a, "--basis", lmb_gradient_bases, "moving or held");
}

/* --- output ----------------------------------------------------------------------------------- */

/* One table per objective; of parameters that are 0 there is no part of them. */
static void print_text(const lmb_gradient *g)
{
    int width = 9;
    for (int p = 0; p < g->parameter_count; p++)
        width = (int)fmax(width, (double)strlen(g->parameters[p]));
    for (int i = 0; i < g->objective_count; i++) {
        const double *slopes = g->derivatives + (size_t)i * (size_t)g->parameter_count;
        bool combined = g->methods[i] == LMB_GRADIENT_AUTO;
        printf("%s%s = %.17g  (%s)\n", i ? "\n" : "", g->objectives[i], g->values[i],
               combined ? "combined" : lmb_gradient_methods[g->methods[i]]);
        printf("  %-*s %24s %24s %18s\n", width, "parameter", "value", "derivative",
               "change by +1 %");
        for (int p = 0; p < g->parameter_count; p++) {
            double one = 0.01 * g->parameter_values[p] * slopes[p];
            printf("  %-*s %24.17g %24.17g", width, g->parameters[p], g->parameter_values[p],
                   slopes[p]);
            if (g->parameter_values[p] == 0)
                printf(" %18s\n", "-");
            else
                printf(" %18.6g\n", one);
        }
    }
}

/* Taylor's table: what is left must fall to a quarter from line to line, until rounding. */
static void print_check(const lmb_gradient *g, const lmb_gradient_check *c)
{
    for (int i = 0; i < g->objective_count; i++) {
        const double *R = c->remainders + (size_t)i * LMB_CHECK_STEPS;
        printf("\n%s: all parameters changed by s times about 1 %%\n  %-10s %24s %10s\n",
               g->objectives[i], "s", "not accounted for", "slope");
        for (int k = 0; k < LMB_CHECK_STEPS; k++) {
            printf("  %-10g %24.6g", c->s[k], R[k]);
            if (k > 0 && R[k] > 0 && R[k - 1] > 0)
                printf(" %10.3f\n", log2(R[k - 1] / R[k]));
            else
                printf(" %10s\n", "-");
        }
        if (!isnan(c->other[i]))
            printf("  direct and adjoint differ by %.2g of the largest term\n", c->other[i]);
    }
}

static void print_json(const lmb_gradient *g, const lmb_gradient_check *c)
{
    lmb_json json = lmb_json_start_object(stdout);
    lmb_json_open(&json, "objectives", '{');
    for (int i = 0; i < g->objective_count; i++) {
        lmb_json_open(&json, g->objectives[i], '{');
        lmb_json_number(&json, "value", g->values[i]);
        if (g->methods[i] != LMB_GRADIENT_AUTO)
            lmb_json_text(&json, "method", lmb_gradient_methods[g->methods[i]]);
        lmb_json_open(&json, "gradient", '{');
        for (int p = 0; p < g->parameter_count; p++)
            lmb_json_number(&json, g->parameters[p],
                            g->derivatives[(size_t)i * (size_t)g->parameter_count + (size_t)p]);
        lmb_json_close(&json);
        if (c) {
            lmb_json_numbers(&json, "s", LMB_CHECK_STEPS, c->s);
            lmb_json_numbers(&json, "remainders", LMB_CHECK_STEPS,
                             c->remainders + (size_t)i * LMB_CHECK_STEPS);
            if (!isnan(c->other[i]))
                lmb_json_number(&json, "direct_against_adjoint", c->other[i]);
        }
        lmb_json_close(&json);
    }
    lmb_json_end(&json);
}

/* --- files ------------------------------------------------------------------------------------ */

/* Files must have an ending that says what they are to be. */
static void check_files(const lmb_arguments *a, lmb_gradient_method method)
{
    for (const char **path = lmb_option_values(a, "--output"); *path; path++) {
        bool result = lmb_ends_with(*path, ".h5");
        lmb_refuse(a, result && method == LMB_GRADIENT_ADJOINT,
                   "the adjoint method goes back in time: it has no histories for '%s'", *path);
        lmb_refuse(a, !result && !lmb_ends_with(*path, ".html") && !lmb_plot_file(*path),
                   "'%s' must end with .html, .svg, .pdf, .png or .h5", *path);
    }
}

static lmb_status write_file(const lmb_arguments *a, const lmb_gradient *g, const char *path)
{
    if (lmb_ends_with(path, ".h5"))
        return lmb_gradient_write(a->context, g, path);
    lmb_sheet sheet = lmb_sheet_start(a->arena, "Gradient");
    lmb_gradient_sheet(&sheet, g);
    lmb_status status = lmb_check_memory(a->context, a->arena);
    if (status)
        return status;
    return lmb_sheet_write(a->context, &sheet, a->words[0], path);
}

static const lmb_option options[] = {
    {"--of OBJECTIVE ...", "An objective; without the option all of them."},
    {"--by PARAMETER ...",
     "A parameter; without the option all that are numbers and not made of others."},
    {"--method METHOD",
     "direct (changes integrated along with the motion), adjoint (backwards in time, for many "
     "parameters) or differences (of repeated runs); without the option what suits the analysis."},
    {"--basis BASIS",
     "What a parameter does to the modes of flexible bodies: moving (the default: bodies are "
     "reduced anew, as --set does) or held (their modes stay as they are, for large meshes)."},
    {"--integrator NAME", "Integrate with another method than the model says."},
    {"--memory GB",
     "What the adjoint method may keep of a motion (default: 2); beyond that it keeps some points "
     "and runs the motion between them again."},
    {"--jobs N", "Compile and run neighbours by so many threads (default: as many as there are "
                 "processors); the numbers do not depend on it."},
    {"--step H", "Integrate with steps of H seconds."},
    {"-o, --output FILE ...",
     "Write a page with tables and bar charts (.html), the bars of the first objective (.svg, "
     ".pdf, "
     ".png), or how expressions change with the parameters over time, as channels such as "
     "sway.by.k1 of a result (.h5; not with --method adjoint)."},
    {"--check", "Print besides how what the gradient leaves over falls with smaller changes (slope "
                "2), and how "
                "far the direct and the adjoint method differ."},
    {LMB_SET_OPTION},
    {LMB_TRUST_OPTION},
    {LMB_WAIT_OPTION},
    {"--json", "Print JSON."},
    {0},
};

static lmb_status run(const lmb_arguments *a)
{
    const char **of = lmb_option_values(a, "--of"), **by = lmb_option_values(a, "--by");
    lmb_gradient_request request = {.objectives = *of ? of : NULL,
                                    .parameters = *by ? by : NULL,
                                    .method = typed_method(a),
                                    .integrator = lmb_option_value(a, "--integrator"),
                                    .basis = typed_basis(a),
                                    .histories = *lmb_option_values(a, "--output") != NULL};
    request.jobs = lmb_typed_threads(a, "--jobs");
    lmb_typed_number(a, "--step", LMB_ABOVE_ZERO, &request.step);
    if (lmb_typed_number(a, "--memory", LMB_ABOVE_ZERO, &request.memory))
        request.memory *= 1e9;
    check_files(a, request.method);
    lmb_spec *spec;
    lmb_gradient *g = NULL;
    lmb_gradient_check *check = NULL;
    lmb_status status = *a->status;
    if (status || (status = lmb_load_spec(a, &spec)))
        return status;
    lmb_progress_start(a->context, false);
    status = lmb_gradient_find(&g, a->context, spec, &request);
    if (!status && lmb_option_value(a, "--check"))
        status = lmb_gradient_check_find(&check, a->context, spec, &request, g);
    for (const char **path = lmb_option_values(a, "--output"); *path && !status; path++)
        status = write_file(a, g, *path);
    lmb_progress_done(a->context);
    if (!status && a->json)
        print_json(g, check);
    else if (!status)
        print_text(g);
    if (check && !a->json)
        print_check(g, check);
    lmb_gradient_check_free(check);
    lmb_gradient_free(g);
    return status;
}

const lmb_verb lmb_verb_gradient = {
    .name = "gradient",
    .usage = "MODEL [--of OBJECTIVE]... [--by PARAMETER]... [--method METHOD] [--check]",
    .summary = "Prints objectives and their exact derivatives by parameters.",
    .doc =
        "Prints the objectives of a model and their derivatives by its parameters, exact to "
        "rounding for the motion as it is computed: by linearised steps along with the motion or "
        "backwards in time, or by differences of fourth order where an analysis is not "
        "integrated by generalized-alpha, hht, newmark or ali3p. Steps of ali3p with 'projection: "
        "full', or with friction and 'projection: mass', have no adjoint.",
    .examples = "limber gradient ride.yaml\n"
                "limber gradient ride.yaml --of comfort --by kf --by cf --method adjoint\n"
                "limber gradient five-bar.yaml -o gradient.html -o slopes.h5\n"
                "limber gradient pendulum.yaml --integrator generalized-alpha --step 1e-3 --json\n",
    .words = {1, 1},
    .options = options,
    .run = run,
};
