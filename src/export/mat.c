/* MAT-files, Level 5: a header of 128 bytes, then a data element a variable.
 *
 *   element   type and size (4 bytes each), the data, filled up to 8 bytes
 *   variable  an element of type matrix, whose data are elements: class, dimensions, name, and the
 *             numbers (or, in a cell array, a variable without a name a cell)
 *
 * See "MAT-File Format" of The MathWorks. */
#include "export/mat.h"

#include <stdint.h>
#include <string.h>

#include "base/file.h"
#include "base/format.h"

/* Types of elements, and classes of variables. */
enum { INT8 = 1, UINT16 = 4, INT32 = 5, UINT32 = 6, DOUBLE = 9, MATRIX = 14 };
enum { CELL_CLASS = 1, CHAR_CLASS = 4, DOUBLE_CLASS = 6 };

/* A whole number of some bytes, the lowest first. */
static void put_integer(lmb_mat *m, uint64_t value, int bytes)
{
    for (int i = 0; i < bytes; i++)
        putc((int)(value >> (8 * i) & 255), m->file);
}

/* The size of data when filled up to eight bytes. */
static size_t padded(size_t size)
{
    return (size + 7) / 8 * 8;
}

static void fill_up(lmb_mat *m, size_t size)
{
    put_integer(m, 0, (int)(padded(size) - size));
}

static void put_tag(lmb_mat *m, int type, size_t size)
{
    m->too_large = m->too_large || size > INT32_MAX;
    put_integer(m, (uint64_t)type, 4);
    put_integer(m, size, 4);
}

/* --- variables -------------------------------------------------------------------------------- */

/* The size of what put_head writes after the tag of the variable. */
static size_t head_size(const char *name)
{
    return 16 + 16 + 8 + padded(strlen(name));
}

/* Begins a variable with so many bytes of data (tags included) after its head. */
static void put_head(lmb_mat *m, int class, int rows, int columns, const char *name, size_t data)
{
    put_tag(m, MATRIX, head_size(name) + data);
    put_tag(m, UINT32, 8);
    put_integer(m, (uint64_t) class, 8);
    put_tag(m, INT32, 8);
    put_integer(m, (uint64_t)rows, 4);
    put_integer(m, (uint64_t)columns, 4);
    put_tag(m, INT8, strlen(name));
    fputs(name, m->file);
    fill_up(m, strlen(name));
}

void lmb_mat_matrix(lmb_mat *m, const char *name, int rows, int columns, const double *values)
{
    size_t count = (size_t)rows * (size_t)columns;
    put_head(m, DOUBLE_CLASS, rows, columns, name, 8 + 8 * count);
    put_tag(m, DOUBLE, 8 * count);
    for (size_t i = 0; i < count; i++) {
        uint64_t bits;
        memcpy(&bits, &values[i], sizeof bits);
        put_integer(m, bits, 8);
    }
}

/* The next character of a text in UTF-8, as the 16 bits that a MAT-file has for it. */
static unsigned next_character(const char **text)
{
    const unsigned char *c = (const unsigned char *)*text;
    int more = *c >= 0xf0 ? 3 : *c >= 0xe0 ? 2 : *c >= 0xc0 ? 1 : 0;
    unsigned code = more ? *c & (0x3fu >> more) : *c;
    for (c++; more && (*c & 0xc0) == 0x80; more--)
        code = code << 6 | (*c++ & 0x3f);
    *text = (const char *)c;
    return code > 0xffff ? '?' : code;
}

static int characters(const char *text)
{
    int count = 0;
    for (; *text; count++)
        next_character(&text);
    return count;
}

static size_t text_size(const char *text)
{
    return 8 + padded(2 * (size_t)characters(text));
}

void lmb_mat_text(lmb_mat *m, const char *name, const char *text)
{
    int count = characters(text);
    put_head(m, CHAR_CLASS, count > 0, count, name, text_size(text));
    put_tag(m, UINT16, 2 * (size_t)count);
    while (*text)
        put_integer(m, next_character(&text), 2);
    fill_up(m, 2 * (size_t)count);
}

void lmb_mat_texts(lmb_mat *m, const char *name, int count, const char *const *texts)
{
    size_t size = 0;
    for (int i = 0; i < count; i++)
        size += 8 + head_size("") + text_size(texts[i]);
    put_head(m, CELL_CLASS, count, 1, name, size);
    for (int i = 0; i < count; i++)
        lmb_mat_text(m, "", texts[i]);
}

/* --- life ------------------------------------------------------------------------------------- */

lmb_status lmb_mat_open(lmb_mat *m, lmb_context *context, const char *path)
{
    char head[125];
    *m = (lmb_mat){.too_large = false};
    m->file = lmb_file_create(&m->output, context, path);
    if (!m->file)
        return LMB_IO;
    memset(head, ' ', sizeof head);
    int length =
        lmb_snprintf(head, 116, "MATLAB 5.0 MAT-file, written by limber %s", lmb_version());
    head[length] = ' ';
    memset(head + 116, 0, 8); /* no data of other programs */
    fwrite(head, 1, 124, m->file);
    put_integer(m, 0x0100, 2);
    fputs("IM", m->file); /* tells readers the order of bytes */
    return LMB_OK;
}

lmb_status lmb_mat_close(lmb_mat *m, lmb_context *context, lmb_status status)
{
    if (!status && m->too_large)
        status = lmb_fail(context, LMB_IO, "a matrix is too large for the MAT-file '%s'",
                          m->output.given);
    return lmb_file_close(&m->output, context, status);
}
