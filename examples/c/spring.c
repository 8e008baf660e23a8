/* A force law of a program: a spring that becomes stiffer the further it is drawn out,
 *
 *   F = -k x - k3 x^3,   dF/dx = -k - 3 k3 x^2,
 *
 * is written in C and called by the expression 'hardening(offset)' of a model. The same spring as
 * an expression of the model must give the same motion.
 *
 *   cc spring.c -o spring $(pkg-config --cflags --libs limber) -lm */
#include <math.h>
#include <stdio.h>

#include <limber/limber.h>

static const char text[] =
    "limber: 1\n"
    "title: A box on a hardening spring\n"
    "dimension: 2\n"
    "parameters: {k: 200, k3: 5000}\n"
    "bodies: {box: {mass: 2, inertia: 1, position: [0.3, 0]}}\n"
    "joints: {rail: {type: prismatic, between: [ground, box], axis: [1, 0]}}\n"
    "forces: {spring: {type: motor, joint: rail, effort: '%s'}}\n"
    "analyses:\n"
    "  swing: {type: dynamics, duration: 1, output_step: 0.1, integrator: generalized-alpha,\n"
    "          step: 0.001}\n";

/* What the law needs; it must live as long as the models that call it. */
typedef struct spring {
    double k, k3;
} spring;

/* The law, with the derivative that implicit integrators want; without it they take differences. */
static int hardening(void *user, const double *x, double *value, double *gradient, double *hessian)
{
    const spring *s = user;
    (void)hessian; /* is not asked for, since `derivatives` below is 1 */
    value[0] = -s->k * x[0] - s->k3 * x[0] * x[0] * x[0];
    if (gradient)
        gradient[0] = -s->k - 3 * s->k3 * x[0] * x[0];
    return 0;
}

enum { INSTANTS = 11 };

/* The places of the box at the instants of the analysis, with this law of force. */
static lmb_status follow(lmb_context *context, const char *law, spring *s, double place[INSTANTS])
{
    char model_text[1000];
    lmb_spec *spec = NULL;
    lmb_model *model = NULL;
    lmb_simulation *simulation = NULL;
    lmb_function function = {"hardening", 1, 1, 1, hardening, s};
    lmb_status status;
    int x;
    snprintf(model_text, sizeof model_text, text, law);
    if (!(status = lmb_spec_parse(&spec, context, "spring", model_text)) &&
        !(status = lmb_spec_define(spec, context, &function)) &&
        !(status = lmb_model_compile(&model, context, spec)) &&
        !(status = lmb_simulation_new(&simulation, context, model, NULL)) &&
        !(status = lmb_simulation_channel(simulation, "box.position.x", &x, NULL)))
        for (int i = 0; i < INSTANTS && !status; i++) {
            place[i] = *lmb_simulation_read(simulation, x);
            status = i + 1 < INSTANTS ? lmb_simulation_step(simulation) : LMB_OK;
        }
    lmb_simulation_free(simulation);
    lmb_model_free(model);
    lmb_spec_free(spec);
    return status;
}

int main(void)
{
    lmb_context *context = lmb_context_new();
    spring s = {200, 5000};
    double own[INSTANTS], called[INSTANTS], apart = 0;
    lmb_status status = LMB_USAGE;
    if (context && lmb_abi_version() == LMB_ABI_VERSION &&
        !(status = follow(context, "-k*offset - k3*offset^3", &s, own)))
        status = follow(context, "hardening(offset)", &s, called);
    for (size_t i = 0; context && i < lmb_message_count(context); i++)
        fprintf(stderr, "%s\n", lmb_message_at(context, i)->text);
    lmb_context_free(context);
    if (status)
        return 1;
    for (int i = 0; i < INSTANTS; i++) {
        printf("t = %.1f s: x = %9.6f m\n", 0.1 * i, called[i]);
        apart = fmax(apart, fabs(called[i] - own[i]));
    }
    printf("at most %.1g m from the law as an expression\n", apart);
    return apart < 1e-12 ? 0 : 1;
}
