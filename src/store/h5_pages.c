/* Pages of a file with the pieces of the journal on them. */
#include "store/h5_pages.h"

#include <stdlib.h>
#include <string.h>

/* The slot of a page: its own, or a free one (last == 0) where it would be. */
static lmb_h5_page *slot_of(lmb_h5_page *table, size_t slots, uint64_t page)
{
    size_t at = (size_t)((page * 0x9e3779b97f4a7c15u) >> 32) & (slots - 1);
    while (table[at].last && table[at].page != page)
        at = (at + 1) & (slots - 1);
    return &table[at];
}

/* Makes room for one page more; at most half of the slots are filled. */
static bool more_slots(lmb_h5_pages *p)
{
    if (2 * (p->filled + 1) <= p->slots)
        return true;
    size_t slots = p->slots ? 2 * p->slots : 256;
    lmb_h5_page *table = calloc(slots, sizeof *table);
    if (!table)
        return false;
    for (size_t i = 0; i < p->slots; i++)
        if (p->table[i].last)
            *slot_of(table, slots, p->table[i].page) = p->table[i];
    free(p->table);
    p->table = table;
    p->slots = slots;
    return true;
}

static bool more_links(lmb_h5_pages *p)
{
    if (p->count < p->room)
        return true;
    size_t room = p->room ? 2 * p->room : 256;
    lmb_h5_link *links = realloc(p->links, room * sizeof *links);
    if (!links)
        return false;
    p->links = links;
    p->room = room;
    return true;
}

static bool add_to_page(lmb_h5_pages *p, uint64_t page, size_t piece)
{
    if (!more_slots(p) || !more_links(p))
        return false;
    lmb_h5_page *slot = slot_of(p->table, p->slots, page);
    p->links[p->count++] = (lmb_h5_link){.piece = piece};
    if (slot->last) {
        p->links[slot->last - 1].next = p->count;
    } else {
        slot->page = page;
        slot->first = p->count;
        p->filled++;
    }
    slot->last = p->count;
    return true;
}

bool lmb_h5_pages_add(lmb_h5_pages *p, uint64_t address, uint64_t size, size_t piece)
{
    for (uint64_t page = address / LMB_H5_PAGE; size > 0 && page * LMB_H5_PAGE < address + size;
         page++)
        if (!add_to_page(p, page, piece))
            return false;
    return true;
}

size_t lmb_h5_pages_first(const lmb_h5_pages *p, uint64_t page)
{
    return p->slots ? slot_of(p->table, p->slots, page)->first : 0;
}

void lmb_h5_pages_clear(lmb_h5_pages *p)
{
    if (p->filled)
        memset(p->table, 0, p->slots * sizeof *p->table);
    p->filled = p->count = 0;
}

void lmb_h5_pages_free(lmb_h5_pages *p)
{
    free(p->table);
    free(p->links);
    *p = (lmb_h5_pages){0};
}
