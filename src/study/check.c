/* A check of gradients: Taylor's theorem, and one method against another.
 *
 * All parameters are changed at once, by s times a hundredth of each (with changing signs and
 * sizes), and what the gradient does not account for,
 *
 *   R(s) = | G(p + s d) - G(p) - s dG/dp d |
 *
 * must fall with s^2: to a quarter when s is halved. Where modes are held, they are in G, too. */
#include "study/gradient.h"

#include <math.h>
#include <stdio.h>

#include "read/reader.h"

/* How far parameter number p is moved. */
static double direction(const lmb_gradient *g, int p)
{
    double value = g->parameter_values[p], size = 0.01 * (0.6 + 0.4 * cos(1 + 2.3 * p));
    return (p % 2 ? -1 : 1) * size * (value != 0 ? value : 1);
}

/* The objectives where all parameters are moved by s; with the modes of a base that are held, or
 * without (NULL). */
static lmb_status find_values(lmb_context *context, lmb_spec *spec, const lmb_model *held,
                              const lmb_gradient_request *request, const lmb_gradient *g, double s,
                              double *values)
{
    static const char *const none[] = {NULL};
    lmb_override *before = spec->overrides;
    lmb_gradient_request plain = *request;
    lmb_gradient *found = NULL;
    lmb_status status = LMB_OK;
    size_t messages = lmb_message_count(context);
    plain.parameters = none;
    plain.method = LMB_GRADIENT_DIFFERENCES;
    plain.histories = true; /* values as exact as derivatives */
    for (int p = 0; p < g->parameter_count && !status; p++)
        status = lmb_spec_set_number(spec, context, g->parameters[p],
                                     g->parameter_values[p] + s * direction(g, p));
    spec->like = held;
    spec->held = held;
    if (!status)
        status = lmb_gradient_find(&found, context, spec, &plain);
    spec->like = NULL;
    spec->held = false;
    for (int i = 0; i < g->objective_count && !status; i++)
        values[i] = found->values[i];
    if (!status)
        lmb_messages_forget(context, messages);
    lmb_gradient_free(found);
    spec->overrides = before;
    return status;
}

static lmb_status find_remainders(lmb_gradient_check *c, lmb_context *context, lmb_spec *spec,
                                  const lmb_model *held, const lmb_gradient_request *request,
                                  const lmb_gradient *g)
{
    size_t count = (size_t)g->objective_count;
    double *values = lmb_arena_numbers(c->arena, 2 * count), *base = values + count;
    if (!values)
        return lmb_fail_memory(context);
    lmb_status status = find_values(context, spec, held, request, g, 0, base);
    for (int k = 0; k < LMB_CHECK_STEPS && !status; k++) {
        c->s[k] = ldexp(1, -k);
        status = find_values(context, spec, held, request, g, c->s[k], values);
        for (size_t i = 0; i < count && !status; i++) {
            double expected = base[i];
            for (int p = 0; p < g->parameter_count; p++)
                expected += c->s[k] * direction(g, p) *
                            g->derivatives[i * (size_t)g->parameter_count + (size_t)p];
            c->remainders[i * LMB_CHECK_STEPS + (size_t)k] = fabs(values[i] - expected);
        }
    }
    return status;
}

/* Direct against adjoint, or the other way round, where there are both. */
static lmb_status find_other(lmb_gradient_check *c, lmb_context *context, lmb_spec *spec,
                             const lmb_gradient_request *request, const lmb_gradient *g)
{
    bool integrated = false;
    for (int i = 0; i < g->objective_count; i++) {
        c->other[i] = NAN;
        integrated |= g->methods[i] == LMB_GRADIENT_DIRECT || g->methods[i] == LMB_GRADIENT_ADJOINT;
    }
    if (!integrated)
        return LMB_OK;
    lmb_gradient_request second = *request;
    lmb_gradient *found;
    size_t messages = lmb_message_count(context);
    second.method = LMB_GRADIENT_ADJOINT;
    for (int i = 0; i < g->objective_count; i++)
        if (g->methods[i] == LMB_GRADIENT_ADJOINT)
            second.method = LMB_GRADIENT_DIRECT;
    lmb_status status = lmb_gradient_find(&found, context, spec, &second);
    if (status)
        return status;
    lmb_messages_forget(context, messages);
    for (int i = 0; i < g->objective_count; i++) {
        double size = 0, most = 0;
        for (int p = 0; p < g->parameter_count; p++) {
            size_t at = (size_t)i * (size_t)g->parameter_count + (size_t)p;
            double value = g->parameter_values[p] != 0 ? g->parameter_values[p] : 1;
            size = fmax(size, fabs(value * g->derivatives[at]));
            most = fmax(most, fabs(value * (g->derivatives[at] - found->derivatives[at])));
        }
        if (g->methods[i] != found->methods[i])
            c->other[i] = size > 0 ? most / size : most;
    }
    lmb_gradient_free(found);
    return LMB_OK;
}

static lmb_status find(lmb_gradient_check *c, lmb_context *context, lmb_spec *spec,
                       const lmb_gradient_request *request, const lmb_gradient *g)
{
    c->remainders = lmb_arena_numbers(c->arena, (size_t)g->objective_count * LMB_CHECK_STEPS);
    c->other = lmb_arena_numbers(c->arena, (size_t)g->objective_count);
    lmb_model *held = NULL;
    size_t messages = lmb_message_count(context);
    lmb_status status = lmb_check_memory(context, c->arena);
    if (!status && request->basis == LMB_BASIS_HELD)
        status = lmb_model_compile(&held, context, spec);
    if (!status)
        lmb_messages_forget(context, messages);
    if (!status)
        status = find_remainders(c, context, spec, held, request, g);
    lmb_model_free(held);
    return status ? status : find_other(c, context, spec, request, g);
}

lmb_status lmb_gradient_check_find(lmb_gradient_check **out, lmb_context *context,
                                   const lmb_spec *spec, const lmb_gradient_request *request,
                                   const lmb_gradient *gradient)
{
    LMB_REQUIRE_OUT(context, out, spec, gradient);
    lmb_arena *arena;
    lmb_spec *own;
    lmb_gradient_check *c = lmb_arena_object(&arena, sizeof *c);
    if (!c)
        return lmb_fail_memory(context);
    c->arena = arena;
    lmb_status status = lmb_spec_copy(&own, context, spec);
    if (!status)
        status = find(c, context, own, request ? request : &(lmb_gradient_request){0}, gradient);
    lmb_spec_free(own);
    if (status)
        lmb_gradient_check_free(c);
    else
        *out = c;
    return status;
}

void lmb_gradient_check_free(lmb_gradient_check *c)
{
    if (c)
        lmb_arena_free(c->arena);
}
