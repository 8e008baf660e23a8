/* Reading the text files of other programs: lines, words, numbers and fixed columns. */
#ifndef LMB_IMPORT_SCAN_H
#define LMB_IMPORT_SCAN_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "base/list.h"
#include "base/message.h"
#include "base/names.h"

/* A piece of a line. */
typedef struct lmb_word {
    const char *start;
    int length;
} lmb_word;

static inline lmb_word lmb_word_of(const char *text)
{
    return (lmb_word){text, (int)strlen(text)};
}

/* A file, and the line that is being read. */
typedef struct lmb_scan {
    lmb_context *context;
    const char *file; /* its name, for messages */
    char *text;       /* all of it, and a zero */
    size_t size;
    const char *start;      /* of the text behind its byte order mark */
    const char *line, *end; /* the line, and where it ends: at its last character */
    const char *now;        /* the rest of the line, or of the file where that is binary */
    const char *next;       /* the next line */
    int number;             /* of the line, from 1; 0 where the file is binary */
    lmb_status status;      /* of the first failure. From then on there are no lines and words any
                               more, numbers are 0, and further failures are not reported. */
} lmb_scan;

/* Reads a file as a whole; `path` must outlive it. A file that was opened has to be closed. */
lmb_status lmb_scan_open(lmb_scan *scan, lmb_context *context, const char *path);
void lmb_scan_close(lmb_scan *scan);

/* Goes to the start of the text, behind its byte order mark. */
void lmb_scan_start(lmb_scan *scan);

/* The next line, be it empty; false at the end of the file. And the same one once more. */
bool lmb_scan_line(lmb_scan *scan);
void lmb_scan_again(lmb_scan *scan);

/* The next line, which must be there: `what` is on it. */
void lmb_scan_need_line(lmb_scan *scan, const char *what);

/* The next word of the line: blanks and at most one comma end it. An empty one has length 0. False
 * at the end of the line. */
bool lmb_scan_word(lmb_scan *scan, lmb_word *word);

/* The same with nothing but commas between, blanks around a field left off. */
bool lmb_scan_field(lmb_scan *scan, lmb_word *field);

/* The next word of this line or a later one. */
bool lmb_scan_token(lmb_scan *scan, lmb_word *word);

/* What stands in some columns of the line (from 0), without blanks. */
lmb_word lmb_scan_columns(const lmb_scan *scan, int from, int width);

bool lmb_is_blank(char c);

/* Whether a word is a text, upper and lower case being the same; or begins with it. */
bool lmb_word_is(lmb_word word, const char *text);
bool lmb_word_begins(lmb_word word, const char *text);
lmb_word lmb_word_trim(lmb_word word);

/* The ending of the name of a file from its last point on; of length 0 where there is none. */
lmb_word lmb_file_ending(const char *path);

/* Numbers as C and Fortran write them: 1.5, -2, 1e-3, 1.0D+02, 1.0-100. False: it is none. */
bool lmb_word_number(lmb_word word, double *value);
bool lmb_word_integer(lmb_word word, int *value);

/* The same with a message that says what was expected; a number must be finite. */
double lmb_scan_number_of(lmb_scan *scan, lmb_word word, const char *what);
int lmb_scan_integer_of(lmb_scan *scan, lmb_word word, const char *what);

/* Replaces a value unless the word is empty. */
void lmb_scan_optional(lmb_scan *scan, lmb_word word, const char *what, double *value);

/* The next word of the line as a number. */
double lmb_scan_number(lmb_scan *scan, const char *what);
int lmb_scan_integer(lmb_scan *scan, const char *what);
void lmb_scan_numbers(lmb_scan *scan, const char *what, double *values, int count);

/* The next words of the line, at most so many; returns how many there are. */
int lmb_scan_words(lmb_scan *scan, lmb_word *words, int most);

/* The line without the blanks around it. */
lmb_word lmb_scan_text(const lmb_scan *scan);

/* An error in the line; returns the status of the first one. */
lmb_status lmb_scan_fail(lmb_scan *scan, const char *format, ...) LMB_PRINTF(2, 3);

/* Add a copy of an item to a list, give a number or a name a place in a dictionary, and copy a
 * word. Out of memory: false or NULL, and a failure of the scan. */
bool lmb_scan_append(lmb_scan *scan, lmb_list *list, const void *item, size_t size);
bool lmb_scan_place_number(lmb_scan *scan, lmb_numbers *numbers, int number, size_t place);
bool lmb_scan_place_name(lmb_scan *scan, lmb_arena *arena, lmb_names *names, const char *name,
                         size_t place);
const char *lmb_scan_copy(lmb_scan *scan, lmb_arena *arena, lmb_word word);

/* A field of a Fortran format. */
typedef struct lmb_fortran_column {
    int from, width;
    char type; /* I, E, D, F, G or A */
} lmb_fortran_column;

/* The fields of a format such as (3i9,6e21.13e3) or (1P,4D20.12); 0: it is not understood. */
int lmb_fortran_columns(lmb_word format, lmb_fortran_column *columns, int most);

#endif
