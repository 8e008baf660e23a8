/* The HTML page of a report: the viewer, as it was built, with data put into it.
 *
 * Data are one JSON text and blocks of numbers that it refers to. In the page each is a script
 * element that the browser does not run. JSON goes in with every '<' as \u003c, and blocks are
 * base64, so that nothing in them can end the element: texts of a model stay texts.
 *
 * A block is an array of numbers with its bytes in planes (first bytes of all numbers, then the
 * second ones, ...), which compresses better, deflated. */
#ifndef LMB_REPORT_PAGE_H
#define LMB_REPORT_PAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "base/embedded.h"
#include "base/json.h"
#include "base/message.h"

typedef struct lmb_page {
    lmb_arena *arena; /* for what is put on it */
    lmb_json json;    /* an object that is open and on one line: members are added to it */
    char *blocks;
    size_t blocks_size;
    FILE *blocks_out;
    int block_count;
    bool failed; /* out of memory */
} lmb_page;

/* The viewer of the library; without a place for data where it was not built. */
extern const lmb_embedded_text lmb_viewer[];

/* Where in the text of the viewer the data go. */
#define LMB_PAGE_MARK "<!--limber:data-->"

bool lmb_page_open(lmb_page *page);
void lmb_page_close(lmb_page *page);

/* Adds a block and writes its reference: {"block": 3, "type": "f32", "count": 100}. The type is one
 * of f64, f32, u32, i16, i8. Numbers of NULL are those that there was no memory for. */
void lmb_page_block(lmb_page *page, const char *key, const char *type, const void *numbers,
                    size_t count);

/* Ends the object; the viewer (NULL: that of the library) with the data is written to a file. */
lmb_status lmb_page_write(lmb_page *page, lmb_context *context, const char *viewer,
                          const char *path);

#endif
