/* Text and numbers in the C locale: the standard functions with the locale of the thread changed
 * around them. The C locale exists from the beginning: newlocale returns it without allocating. */
#include "base/format.h"

#include <locale.h>
#include <stdint.h>
#include <stdlib.h>

/* Take the C locale in this thread; returns the previous one, to be restored by uselocale. */
static locale_t take_c_locale(void)
{
    return uselocale(newlocale(LC_ALL_MASK, "C", (locale_t)0));
}

int lmb_fprintf(FILE *out, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    locale_t host = take_c_locale();
    int count = vfprintf(out, format, args);
    uselocale(host);
    va_end(args);
    return count;
}

int lmb_vsnprintf(char *text, size_t size, const char *format, va_list args)
{
    locale_t host = take_c_locale();
    int count = vsnprintf(text, size, format, args);
    uselocale(host);
    return count;
}

int lmb_snprintf(char *text, size_t size, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    int count = lmb_vsnprintf(text, size, format, args);
    va_end(args);
    return count;
}

int lmb_fscanf(FILE *in, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    locale_t host = take_c_locale();
    int count = vfscanf(in, format, args);
    uselocale(host);
    va_end(args);
    return count;
}

int lmb_sscanf(const char *text, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    locale_t host = take_c_locale();
    int count = vsscanf(text, format, args);
    uselocale(host);
    va_end(args);
    return count;
}

double lmb_strtod(const char *text, char **end)
{
    locale_t host = take_c_locale();
    double value = strtod(text, end);
    uselocale(host);
    return value;
}

bool lmb_same_letters_in(const char *a, const char *b, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        if (lmb_to_lower(a[i]) != lmb_to_lower(b[i]))
            return false;
        if (!a[i])
            return true;
    }
    return true;
}

bool lmb_same_letters(const char *a, const char *b)
{
    return lmb_same_letters_in(a, b, SIZE_MAX);
}
