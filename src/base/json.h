/* Writing JSON, to a file or into a text: nesting, commas, line ends and escapes come by
 * themselves.
 *
 *   lmb_json_open(json, "bodies", '[');
 *   lmb_json_open_flat(json, NULL, '{');
 *   lmb_json_put(json, "name %s, mass %g, nodes %d, flexible %hhd", name, mass, nodes, flexible);
 *   lmb_json_numbers(json, "centre", 3, centre);
 *   lmb_json_close(json);
 *   lmb_json_close(json);
 */
#ifndef LMB_BASE_JSON_H
#define LMB_BASE_JSON_H

#include <stdbool.h>
#include <stdio.h>

#include "limber/context.h"

typedef struct lmb_json {
    FILE *out; /* NULL: a text for which there was no memory; nothing is written */
    bool in_text;
    char *text;
    size_t size;
    int depth;
    struct {
        char close;  /* '}' or ']' */
        bool inside; /* something is in it already */
        bool flat;   /* on one line */
    } levels[16];
} lmb_json;

/* Starts writing to a file; the same with an object that it opens, and the end of all that is open.
 */
lmb_json lmb_json_start(FILE *out);
lmb_json lmb_json_start_object(FILE *out);
void lmb_json_end(lmb_json *json);

/* Writing into a text: starts it, and ends it, closes what is open, and gives it to the caller
 * to be freed, NULL when memory ran out on the way. The writer stays where it is between the two.
 */
void lmb_json_start_text(lmb_json *json);
char *lmb_json_end_text(lmb_json *json);

/* Opens and closes an object '{' or array '['. The key is NULL in an array and at the top; a flat
 * one, such as a row of numbers, is written on one line. */
void lmb_json_open(lmb_json *json, const char *key, char bracket);
void lmb_json_open_flat(lmb_json *json, const char *key, char bracket);
void lmb_json_close(lmb_json *json);

/* Several members of the open object by one format of keys and conversions, with commas between
 * them: %s a text, %g a number (%.9g: rounded), %d, %ld and %zu whole numbers, %hhd true or false,
 * each as the function of its type below writes it. */
void lmb_json_put(lmb_json *json, const char *format, ...) LMB_PRINTF(2, 3);

/* The same as an object of its own, on one line. */
void lmb_json_object(lmb_json *json, const char *key, const char *format, ...) LMB_PRINTF(3, 4);

/* Values. A text of NULL is null; numbers have 17 significant digits, and those that JSON does not
 * have are null. */
void lmb_json_text(lmb_json *json, const char *key, const char *text);
void lmb_json_number(lmb_json *json, const char *key, double value);
void lmb_json_rounded(lmb_json *json, const char *key, double value, int digits);
void lmb_json_integer(lmb_json *json, const char *key, long value);
void lmb_json_bool(lmb_json *json, const char *key, bool value);

/* An array on one line. */
void lmb_json_numbers(lmb_json *json, const char *key, size_t count, const double *values);
void lmb_json_integers(lmb_json *json, const char *key, size_t count, const int *values);
void lmb_json_texts(lmb_json *json, const char *key, size_t count, const char *const *texts);

/* JSON that was written elsewhere, as it is. */
void lmb_json_raw(lmb_json *json, const char *key, const char *text);

#endif
