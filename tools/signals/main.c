/* limber_signals FAULT|healthy FILE.wav: the synthetic vibration of the example bearing-fault. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "measure/measurement.h"
#include "signals.h"

int main(int count, char **words)
{
    static const char *const names[] = {"outer", "inner", "rolling-element", "cage", "healthy"};
    static double x[SIGNAL_COUNT];
    int fault = 0;
    while (count == 3 && fault < 5 && strcmp(words[1], names[fault]) != 0)
        fault++;
    if (count != 3 || fault == 5) {
        fputs("limber_signals outer|inner|rolling-element|cage|healthy FILE.wav\n", stderr);
        return 2;
    }
    /* 1500 rpm, balls of 7.94 on 39.04 mm: see examples/bearing-fault/README.md */
    signal_plan p = {.count = SIGNAL_COUNT,
                     .rate = 12800,
                     .shaft = 25,
                     .bearing = {.pitch = 39.04, .ball = 7.94, .balls = 9},
                     .fault = fault < LMB_FAULTS ? fault : -1,
                     .slip = -0.013,
                     .jitter = 0.006,
                     .scatter = 0.2,
                     .resonance = 3200,
                     .damping = 0.04,
                     .harmonics = 1.5,
                     .modulation = 0.2,
                     .snr = -10,
                     .from = 2400,
                     .to = 4000};
    uint64_t seed = 1;
    lmb_context *context = lmb_context_new();
    lmb_wav wav = {p.rate, 1, SIGNAL_COUNT, x};
    if (!context || !signal_make(&p, &seed, x))
        return 4;
    for (size_t i = 0; i < p.count; i++)
        x[i] /= 16; /* within -1 .. 1 */
    lmb_status status = wav_write(context, words[2], &wav, 16);
    if (status)
        fprintf(stderr, "%s\n", lmb_message_at(context, 0)->text);
    lmb_context_free(context);
    return status;
}
