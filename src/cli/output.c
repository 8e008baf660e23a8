/* Standard streams that cannot control a terminal: all that the program prints passes a filter,
 * which escapes controls and bytes that are not UTF-8. The filter is a stream in front of the one
 * of the C library. */
#define _GNU_SOURCE /* fopencookie */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "cli/print.h"

typedef struct filter {
    FILE *out;
    char held[8]; /* a character of which bytes are missing, ended by a zero */
    size_t count;
} filter;

/* Print the held bytes, unless they may still become a whole character. */
static void put_held(filter *f, bool more)
{
    while (f->count > 0) {
        bool follows = f->count == 1 || ((unsigned char)f->held[f->count - 1] & 0xc0) == 0x80;
        if (more && follows && f->count < lmb_utf8_length(f->held[0]))
            return;
        char shown[LMB_SHOWN_ROOM];
        size_t used = lmb_text_show(f->held, shown);
        if (f->held[0] == '\n' || f->held[0] == '\t')
            putc(f->held[0], f->out);
        else
            fputs(shown, f->out);
        f->count -= used;
        memmove(f->held, f->held + used, f->count + 1);
    }
}

static ssize_t write_filtered(void *cookie, const char *bytes, size_t size)
{
    filter *f = cookie;
    for (size_t i = 0, n; i < size; i += n) {
        for (n = 0; !f->count && i + n < size; n++)
            if (bytes[i + n] != '\n' && (bytes[i + n] < ' ' || bytes[i + n] > '~'))
                break;
        fwrite(bytes + i, 1, n, f->out);
        if (n == 0) {
            f->held[f->count++] = bytes[i];
            f->held[f->count] = 0;
            put_held(f, true);
            n = 1;
        }
    }
    return fflush(f->out) == 0 && !ferror(f->out) ? (ssize_t)size : 0;
}

static int end_filter(void *cookie)
{
    put_held(cookie, false);
    return 0;
}

/* Return the filtered stream, or NULL. */
static FILE *open_filter(filter *f, FILE *out, int mode)
{
    f->out = out;
    FILE *file =
        fopencookie(f, "w", (cookie_io_functions_t){.write = write_filtered, .close = end_filter});
    if (file)
        setvbuf(file, NULL, mode, BUFSIZ);
    return file;
}

static filter filters[2];

bool lmb_escape_output(void)
{
    FILE *out = open_filter(&filters[0], stdout, isatty(STDOUT_FILENO) ? _IOLBF : _IOFBF);
    FILE *err = open_filter(&filters[1], stderr, _IOLBF);
    stdout = out ? out : stdout;
    stderr = err ? err : stderr;
    return out && err;
}

void lmb_restore_output(void)
{
    fclose(stdout);
    fclose(stderr);
    stdout = filters[0].out;
    stderr = filters[1].out;
}

void lmb_print_inline(FILE *out, const char *text)
{
    char shown[LMB_SHOWN_ROOM];
    for (; text[strspn(text, "\n")]; fputs(shown, out))
        text += lmb_text_show(text, shown);
}

void lmb_print_line(const char *before, const char *text)
{
    fputs(before, stdout);
    lmb_print_inline(stdout, text);
    putc('\n', stdout);
}
