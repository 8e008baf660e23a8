/* The instants of a record: whether they are even, and values at even ones. */
#ifndef LMB_SIGNAL_INSTANTS_H
#define LMB_SIGNAL_INSTANTS_H

#include <stdbool.h>
#include <stddef.h>

typedef struct lmb_instants {
    size_t first, count; /* the longest piece without gaps */
    double rate;         /* of even instants over it, Hz */
    bool even;           /* as far as the digits of the times show */
    double scatter;      /* how far an instant is from where it should be, over the step */
    double quantum;      /* of the times, where they have few digits: 1, 0.1, .. 1e-9 s */
    size_t missing;      /* instants that seem to have been left out of even ones */
    size_t gaps;         /* pauses of more than four steps */
    double longest_step; /* that is no gap */
    double gap, gap_at;  /* the longest, s, and when it begins */
    size_t back;         /* where the times go back (or stand still, unless for lack of digits) */
} lmb_instants;

/* Looks at n >= 2 times; gaps: whether to look for gaps and missing instants. False: out of memory.
 */
bool lmb_instants_look(size_t n, const double *times, bool gaps, lmb_instants *out);

/* The values x of all times at the even instants of the piece, by the cubic through the four
 * nearest ones. */
void lmb_even_out(const lmb_instants *instants, const double *times, const double *x, double *out);

#endif
