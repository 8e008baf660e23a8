/* Lists that grow, for what a file has more or less of. */
#ifndef LMB_BASE_LIST_H
#define LMB_BASE_LIST_H

#include <stdbool.h>
#include <stddef.h>

/* Start with {0}; the user knows what is in it. */
typedef struct lmb_list {
    void *data;
    size_t count, room;
} lmb_list;

/* Adds one of a size, zeroed, and returns it; NULL when out of memory. */
void *lmb_list_add(lmb_list *list, size_t size);
void lmb_list_free(lmb_list *list);

/* A dictionary of whole numbers: what place a number has. Start with {0}. */
typedef struct lmb_number_slot {
    int number, place; /* the place counts from 1; 0: the slot is free */
} lmb_number_slot;

typedef struct lmb_numbers {
    lmb_number_slot *slots;
    size_t count, room;
} lmb_numbers;

/* Gives a number a place (from 0), another one if it has one already; false: out of memory. */
bool lmb_numbers_add(lmb_numbers *numbers, int number, int place);

/* The place of a number, or -1. */
int lmb_numbers_find(const lmb_numbers *numbers, int number);
void lmb_numbers_free(lmb_numbers *numbers);

#endif
