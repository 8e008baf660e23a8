/* A locale with a decimal comma. */
#include "comma.h"

#include <locale.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "program.h"
#include "support.h"

/* Makes the locale `comma` in a folder; localedef warns of all that it lacks. */
static void make_locale(const char *folder)
{
    char command[5000];
    const char *source = scratch_text(
        "comma.src",
        "LC_NUMERIC\ndecimal_point \",\"\nthousands_sep \".\"\ngrouping 3;3\nEND LC_NUMERIC\n");
    snprintf(command, sizeof command, "localedef -c --no-archive -i '%s' '%s/comma'", source,
             folder);
    lmb_run_result run = run_shell(command);
    free_run(&run);
}

void use_decimal_comma(void)
{
    static bool made; /* setlocale remembers that it has not found a locale */
    const char *folder = scratch_path("");
    if (!made)
        make_locale(folder);
    made = true;
    setenv("LOCPATH", folder, 1);
    assert_non_null(setlocale(LC_NUMERIC, "comma"));
    assert_string_equal(localeconv()->decimal_point, ",");
}

void use_decimal_point(void)
{
    setlocale(LC_NUMERIC, "C");
}
