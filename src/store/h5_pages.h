/* Which pieces of the journal touch a page of the file, so that a read need not look at all of
 * them: with thousands of channels there are as many pieces as reads. */
#ifndef LMB_STORE_H5_PAGES_H
#define LMB_STORE_H5_PAGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { LMB_H5_PAGE = 4096 };

/* A piece on a page: where it is in the journal, and the next one on this page, or 0. */
typedef struct lmb_h5_link {
    size_t piece, next;
} lmb_h5_link;

/* A page with pieces; its first and last link are counted from 1, in the order of writing. */
typedef struct lmb_h5_page {
    uint64_t page;
    size_t first, last;
} lmb_h5_page;

/* A table of pages, found by a hash, and the links. */
typedef struct lmb_h5_pages {
    lmb_h5_page *table;
    size_t slots, filled; /* slots: a power of 2, or 0 */
    lmb_h5_link *links;
    size_t count, room;
} lmb_h5_pages;

/* Adds a piece of `size` bytes for an address of the file; false if memory ran out. */
bool lmb_h5_pages_add(lmb_h5_pages *pages, uint64_t address, uint64_t size, size_t piece);

/* The first link of a page, or 0; the others follow by `next`. Link k is links[k - 1]. */
size_t lmb_h5_pages_first(const lmb_h5_pages *pages, uint64_t page);

/* Forgets all pieces; and frees the memory. */
void lmb_h5_pages_clear(lmb_h5_pages *pages);
void lmb_h5_pages_free(lmb_h5_pages *pages);

#endif
