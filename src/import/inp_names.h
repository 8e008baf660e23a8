/* Words of Abaqus and CalculiX: names, types of elements, and directions of supports. */
#ifndef LMB_IMPORT_INP_NAMES_H
#define LMB_IMPORT_INP_NAMES_H

#include "fe/mesh.h"
#include "import/scan.h"

/* Return a word without blanks and quotation marks around it, and without the name of an instance
 * before it, as in Part-1.Set. */
lmb_word lmb_inp_unquoted(lmb_word word);
lmb_word lmb_inp_local_name(lmb_word name);

typedef struct lmb_inp_type {
    const char *name;
    lmb_element_kind kind; /* LMB_ELEMENT_KINDS: makes sets only */
    int nodes;             /* 0: not supported */
    bool reduced;
} lmb_inp_type;

/* Return the type of a name. */
lmb_inp_type lmb_inp_find_type(lmb_word name);

/* Finds the directions (LMB_BIT) that a support holds: the numbers from `first` to `last` (empty:
 * `first` alone), or a word such as ENCASTRE. Numbers above 6, as for temperatures, hold none.
 * False: the word is not known. */
bool lmb_inp_directions(unsigned *held, lmb_word first, lmb_word last);

#endif
