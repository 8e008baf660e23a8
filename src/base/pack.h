/* Packing: numbers put one after the other into an array, and taken back in the same order by the
 * same code, so that saving and restoring cannot disagree. Many of them can be saved piece by piece
 * instead, into a buffer that a function takes whenever it is full. */
#ifndef LMB_BASE_PACK_H
#define LMB_BASE_PACK_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

typedef enum lmb_packing { LMB_PACK_COUNT, LMB_PACK_SAVE, LMB_PACK_RESTORE } lmb_packing;

typedef struct lmb_pack {
    lmb_packing mode;
    double *numbers; /* the array, or the buffer; NULL while counting */
    size_t count;    /* how many have been put or taken so far */
    bool bad;        /* a restored integer was out of its range */

    /* Takes the numbers of the buffer while saving; NULL: there is an array. */
    void (*take)(void *user, const double *numbers, size_t count);
    void *user;
    size_t room, used; /* of the buffer */
} lmb_pack;

/* Hands on what is in the buffer. */
static inline void lmb_pack_flush(lmb_pack *p)
{
    if (p->take && p->used)
        p->take(p->user, p->numbers, p->used);
    p->used = 0;
}

static inline void lmb_pack_into_buffer(lmb_pack *p, const double *x, size_t count)
{
    while (count > 0) {
        size_t some = count < p->room - p->used ? count : p->room - p->used;
        memcpy(p->numbers + p->used, x, some * sizeof *x);
        p->used += some;
        x += some;
        count -= some;
        if (p->used == p->room)
            lmb_pack_flush(p);
    }
}

static inline void lmb_pack_numbers(lmb_pack *p, double *x, size_t count)
{
    double *place = p->numbers && !p->take ? p->numbers + p->count : NULL;
    if (p->mode == LMB_PACK_SAVE && p->take)
        lmb_pack_into_buffer(p, x, count);
    else if (p->mode == LMB_PACK_SAVE && count)
        memcpy(place, x, count * sizeof *x);
    if (p->mode == LMB_PACK_RESTORE && count)
        memcpy(x, place, count * sizeof *x);
    p->count += count;
}

static inline void lmb_pack_number(lmb_pack *p, double *x)
{
    lmb_pack_numbers(p, x, 1);
}

/* Room for numbers that are not there: zeros, which are passed over when restoring. */
static inline void lmb_pack_nothing(lmb_pack *p, size_t count)
{
    double zero = 0;
    for (size_t i = 0; i < count && p->mode == LMB_PACK_SAVE; i++)
        lmb_pack_number(p, &zero);
    if (p->mode != LMB_PACK_SAVE)
        p->count += count;
}

static inline void lmb_pack_flags(lmb_pack *p, bool *x, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        double number = x[i];
        lmb_pack_number(p, &number);
        x[i] = number != 0;
    }
}

/* An integer from `low` to `high`. A restored number that is not one
 * becomes `low`. */
static inline void lmb_pack_integer(lmb_pack *p, long *x, long low, long high)
{
    double number = (double)*x;
    lmb_pack_number(p, &number);
    bool fits = number >= (double)low && number <= (double)high && (double)(long)number == number;
    p->bad = p->bad || !fits;
    *x = fits ? (long)number : low;
}

/* A count. */
static inline void lmb_pack_tally(lmb_pack *p, long *x)
{
    lmb_pack_integer(p, x, 0, 1L << 53);
}

#endif
