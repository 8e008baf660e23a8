/* A sweep over two threads: how the largest torque of a motor depends on the length of a rod.
 *
 *   sweep examples/slider-crank/slider-crank.yaml
 *
 * The model is read once. Each thread takes every second length: it copies the spec, sets the
 * parameter, compiles a variant, of which only what depends on the length is made anew, and runs
 * it. Contexts, specs and simulations belong to one thread; the base model is shared.
 *
 *   cc sweep.c -o sweep $(pkg-config --cflags --libs limber) -lm -pthread */
#include <math.h>
#include <pthread.h>
#include <stdio.h>

#include <limber/limber.h>

enum { COUNT = 21, THREADS = 2 };

/* What all threads share. */
typedef struct sweep {
    const lmb_spec *spec;
    const lmb_model *base;
    double length[COUNT], torque[COUNT];
} sweep;

typedef struct worker {
    sweep *sweep;
    int first; /* it takes this one and every THREADS-th after it */
} worker;

/* The largest torque of a simulation; NaN if it fails. */
static double largest_torque(lmb_simulation *s)
{
    int handle;
    if (lmb_simulation_channel(s, "motor.effort", &handle, NULL))
        return NAN;
    double largest = fabs(*lmb_simulation_read(s, handle));
    while (lmb_simulation_time(s) < lmb_simulation_end(s)) {
        if (lmb_simulation_step(s))
            return NAN;
        largest = fmax(largest, fabs(*lmb_simulation_read(s, handle)));
    }
    return largest;
}

/* One length; NaN, with messages in the context, if something fails. */
static double try_length(lmb_context *context, const sweep *w, double length)
{
    lmb_spec *spec = NULL;
    lmb_model *model = NULL;
    lmb_simulation *simulation = NULL;
    double torque = NAN;
    char text[40];
    snprintf(text, sizeof text, "%.17g", length);
    if (!lmb_spec_copy(&spec, context, w->spec) && !lmb_spec_set(spec, context, "l", text) &&
        !lmb_model_variant(&model, context, spec, w->base) &&
        !lmb_simulation_new(&simulation, context, model, NULL))
        torque = largest_torque(simulation);
    lmb_simulation_free(simulation);
    lmb_model_free(model);
    lmb_spec_free(spec);
    return torque;
}

static void print_messages(const lmb_context *context)
{
    for (size_t i = 0; i < lmb_message_count(context); i++)
        fprintf(stderr, "%s\n", lmb_message_at(context, i)->text);
}

static void *work(void *data)
{
    const worker *own = data;
    sweep *w = own->sweep;
    lmb_context *context = lmb_context_new();
    for (int i = own->first; context && i < COUNT; i += THREADS)
        w->torque[i] = try_length(context, w, w->length[i]);
    if (context)
        print_messages(context);
    lmb_context_free(context);
    return NULL;
}

int main(int count, char **words)
{
    lmb_context *context = lmb_context_new();
    lmb_spec *spec = NULL;
    lmb_model *base = NULL;
    if (count != 2 || !context) {
        fprintf(stderr, "usage: sweep slider-crank.yaml\n");
        return 2;
    }
    if (lmb_spec_load(&spec, context, words[1]) || lmb_model_compile(&base, context, spec)) {
        print_messages(context);
        return 1;
    }
    sweep w = {.spec = spec, .base = base};
    for (int i = 0; i < COUNT; i++) {
        w.length[i] = 0.3 + 0.02 * i;
        w.torque[i] = NAN;
    }
    worker workers[THREADS];
    pthread_t threads[THREADS];
    bool begun[THREADS];
    for (int i = 0; i < THREADS; i++) {
        workers[i] = (worker){&w, i};
        begun[i] = pthread_create(&threads[i], NULL, work, &workers[i]) == 0;
    }
    for (int i = 0; i < THREADS; i++)
        if (begun[i])
            pthread_join(threads[i], NULL);
    int failed = 0;
    for (int i = 0; i < COUNT; i++) {
        printf("l = %.2f m: largest torque %.4f N m\n", w.length[i], w.torque[i]);
        failed += isnan(w.torque[i]);
    }
    lmb_model_free(base);
    lmb_spec_free(spec);
    lmb_context_free(context);
    return failed > 0;
}
