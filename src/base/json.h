/* Writing JSON, a member at a time; commas and line ends come by themselves. */
#ifndef LMB_BASE_JSON_H
#define LMB_BASE_JSON_H

#include <stdbool.h>
#include <stdio.h>

typedef struct lmb_json {
    FILE *out;
    int depth;
    struct {
        char close;  /* '}' or ']' */
        bool inside; /* something is in it already */
        bool flat;   /* on one line */
    } levels[16];
} lmb_json;

lmb_json lmb_json_start(FILE *out);

/* Opens and closes an object '{' or array '['. The key is NULL in an array and at the top; a flat
 * one, such as a row of numbers, is written on one line. */
void lmb_json_open(lmb_json *json, const char *key, char bracket);
void lmb_json_open_flat(lmb_json *json, const char *key, char bracket);
void lmb_json_close(lmb_json *json);

/* Values; numbers have 17 significant digits, and those that JSON does not have are null. */
void lmb_json_text(lmb_json *json, const char *key, const char *text);
void lmb_json_number(lmb_json *json, const char *key, double value);
void lmb_json_rounded(lmb_json *json, const char *key, double value, int digits);
void lmb_json_integer(lmb_json *json, const char *key, long value);
void lmb_json_bool(lmb_json *json, const char *key, bool value);

/* An array of numbers on one line. */
void lmb_json_numbers(lmb_json *json, const char *key, size_t count, const double *values);

/* A string in quotes, escaped. */
void lmb_json_quote(FILE *out, const char *text);

#endif
