/* Packing: numbers put one after the other into an array, and taken back in the same order by the
 * same code, so that saving and restoring cannot disagree. */
#ifndef LMB_BASE_PACK_H
#define LMB_BASE_PACK_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

typedef enum lmb_packing { LMB_PACK_COUNT, LMB_PACK_SAVE, LMB_PACK_RESTORE } lmb_packing;

typedef struct lmb_pack {
    lmb_packing mode;
    double *numbers; /* the array; NULL while counting */
    size_t count;    /* how many have been put or taken so far */
} lmb_pack;

static inline void lmb_pack_numbers(lmb_pack *p, double *x, size_t count)
{
    double *place = p->numbers ? p->numbers + p->count : NULL;
    if (p->mode == LMB_PACK_SAVE && count)
        memcpy(place, x, count * sizeof *x);
    if (p->mode == LMB_PACK_RESTORE && count)
        memcpy(x, place, count * sizeof *x);
    p->count += count;
}

static inline void lmb_pack_number(lmb_pack *p, double *x)
{
    lmb_pack_numbers(p, x, 1);
}

static inline void lmb_pack_flags(lmb_pack *p, bool *x, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        double number = x[i];
        lmb_pack_number(p, &number);
        x[i] = number != 0;
    }
}

static inline void lmb_pack_long(lmb_pack *p, long *x)
{
    double number = (double)*x;
    lmb_pack_number(p, &number);
    *x = (long)number;
}

#endif
