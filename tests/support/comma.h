/* A locale with a decimal comma, made by localedef, which every Debian has. */
#ifndef TESTS_COMMA_H
#define TESTS_COMMA_H

/* Sets the locale of the process for numbers: with a decimal comma, and back. */
void use_decimal_comma(void);
void use_decimal_point(void);

#endif
