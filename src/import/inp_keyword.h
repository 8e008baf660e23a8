/* Lines and keywords of Abaqus and CalculiX. */
#ifndef LMB_IMPORT_INP_KEYWORD_H
#define LMB_IMPORT_INP_KEYWORD_H

#include "import/scan.h"

enum { LMB_INP_PARAMETERS = 16 };

/* A keyword with its parameters; those without a value have an empty one. */
typedef struct lmb_inp_keyword {
    lmb_word name;
    lmb_word keys[LMB_INP_PARAMETERS], values[LMB_INP_PARAMETERS];
    int count;
} lmb_inp_keyword;

/* Whether a word is a text. Upper and lower case and blanks do not matter. */
bool lmb_inp_is(lmb_word word, const char *text);

/* A word without the blanks and quotes around it. */
lmb_word lmb_inp_unquoted(lmb_word word);

/* The next line that is not a comment and not empty; the next line of data, false when there is a
 * keyword or nothing. */
bool lmb_inp_line(lmb_scan *scan);
bool lmb_inp_data(lmb_scan *scan);

/* The keyword of a line and of those that it goes on in. */
lmb_inp_keyword lmb_inp_read(lmb_scan *scan);

/* The value of a parameter, or NULL; and one that must be there. */
const lmb_word *lmb_inp_parameter(const lmb_inp_keyword *keyword, const char *key);
lmb_word lmb_inp_need(lmb_scan *scan, const lmb_inp_keyword *keyword, const char *key);

#endif
