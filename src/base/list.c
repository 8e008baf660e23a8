/* Lists that double their room, and whole numbers in a hash table with linear probing. */
#include "base/list.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

void *lmb_list_add(lmb_list *list, size_t size)
{
    if (list->count == list->room) {
        size_t room = list->room ? 2 * list->room : 16;
        void *grown = room <= SIZE_MAX / size ? lmb_realloc(list->data, room * size) : NULL;
        if (!grown)
            return NULL;
        list->data = grown;
        list->room = room;
    }
    return memset((char *)list->data + list->count++ * size, 0, size);
}

void lmb_list_free(lmb_list *list)
{
    free(list->data);
    *list = (lmb_list){0};
}

/* The slot of a number, or the free one where it belongs. */
static lmb_number_slot *slot_of(const lmb_numbers *numbers, int number)
{
    uint64_t h = (uint32_t)number * 11400714819323198485u;
    size_t i = (size_t)(h >> 32) & (numbers->room - 1);
    while (numbers->slots[i].place && numbers->slots[i].number != number)
        i = (i + 1) & (numbers->room - 1);
    return &numbers->slots[i];
}

static bool grow(lmb_numbers *numbers)
{
    size_t room = numbers->room ? 2 * numbers->room : 64;
    lmb_numbers larger = {lmb_calloc(room, sizeof(lmb_number_slot)), numbers->count, room};
    if (!larger.slots)
        return false;
    for (size_t i = 0; i < numbers->room; i++)
        if (numbers->slots[i].place)
            *slot_of(&larger, numbers->slots[i].number) = numbers->slots[i];
    free(numbers->slots);
    *numbers = larger;
    return true;
}

bool lmb_numbers_add(lmb_numbers *numbers, int number, int place)
{
    if (2 * numbers->count >= numbers->room && !grow(numbers))
        return false;
    lmb_number_slot *slot = slot_of(numbers, number);
    numbers->count += slot->place == 0;
    *slot = (lmb_number_slot){number, place + 1};
    return true;
}

int lmb_numbers_find(const lmb_numbers *numbers, int number)
{
    return numbers->room ? slot_of(numbers, number)->place - 1 : -1;
}

void lmb_numbers_free(lmb_numbers *numbers)
{
    free(numbers->slots);
    *numbers = (lmb_numbers){0};
}
