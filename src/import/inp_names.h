/* Words of Abaqus and CalculiX: names, types of elements, and directions of supports. */
#ifndef LMB_IMPORT_INP_NAMES_H
#define LMB_IMPORT_INP_NAMES_H

#include "fe/mesh.h"
#include "import/scan.h"

/* Return true if a word is a text. Case and blanks do not matter. */
bool lmb_inp_is(lmb_word word, const char *text);

/* The first function removes blanks and quotation marks around a word. The second also removes the
 * name of an instance, as in Part-1.Set. */
lmb_word lmb_inp_unquoted(lmb_word word);
lmb_word lmb_inp_local_name(lmb_word name);

typedef struct lmb_inp_type {
    const char *name;
    lmb_element_kind kind; /* LMB_ELEMENT_KINDS: only defines sets */
    int nodes;             /* 0: not supported */
    bool reduced;
} lmb_inp_type;

/* Return the element type with this name. */
lmb_inp_type lmb_inp_find_type(lmb_word name);

/* Find the directions (LMB_BIT) that a support holds. Words are the numbers `first` to `last`
 * (empty: `first` alone), or a keyword such as ENCASTRE. Numbers above 6, such as temperatures,
 * hold nothing. Returns false if the keyword is unknown. */
bool lmb_inp_directions(unsigned *held, lmb_word first, lmb_word last);

/* Skipped keywords, each by its first spelling. Start with {0}. */
typedef struct lmb_inp_skipped {
    lmb_list list;   /* const char * */
    lmb_names names; /* without blanks */
} lmb_inp_skipped;

/* Note a keyword unless it is harmless or known. Its texts belong to `scratch`. */
void lmb_inp_skip(lmb_inp_skipped *skipped, lmb_scan *scan, lmb_arena *scratch, lmb_word keyword);

/* Return the skipped keywords as a text, or NULL if there are none. */
const char *lmb_inp_list_skipped(const lmb_inp_skipped *skipped, lmb_arena *arena);

#endif
