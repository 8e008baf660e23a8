/* Changes of the text of a model whose entries take a line each, as generated models do. Texts are
 * freed by the caller. */
#ifndef TESTS_MODEL_TEXTS_H
#define TESTS_MODEL_TEXTS_H

/* Return the text with another entry at the start of a section whose entries stand in lines below
 * it, or NULL if the text has no such section. */
char *text_with_entry(const char *text, const char *section, const char *entry);

/* Return the text without an entry and without the entries that mention it. Names are compared
 * without their first `prefix` characters. */
char *text_without(const char *text, const char *name, int prefix);

/* Return entry number i, such as "crank", or NULL behind the last one. Free it. */
char *text_entry(const char *text, int i);

/* Return the text with the dynamic analyses that do not begin from others written twice: whole, and
 * as a second half that begins from it, whose name has an h behind. */
char *text_with_halves(const char *text);

/* The same with a first part until the event, with a p behind its name, and a second part from it,
 * with a q behind, which replace the event: "@f1" is released or latched. */
char *text_with_parts(const char *text);

/* Return the text with one period as the duration of analyses with `begin: periodic`, in 10000
 * equal steps: accelerations of equal steps have errors of their square. */
char *text_with_periods(const char *text);

/* Return the text with another `output_step` of all analyses. */
char *text_with_output(const char *text, double step);

#endif
