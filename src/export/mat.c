/* MAT-files, Level 5: a header of 128 bytes, then a data element a variable.
 *
 *   element   type and size (4 bytes each), the data, filled up to 8 bytes
 *   variable  an element of type matrix, whose data are elements: class, dimensions, name, and the
 *             numbers (or, in a cell array, a variable without a name a cell)
 *
 * See "MAT-File Format" of The MathWorks. */
#include "export/mat.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Types of elements, and classes of variables. */
enum { INT8 = 1, UINT16 = 4, INT32 = 5, UINT32 = 6, DOUBLE = 9, MATRIX = 14 };
enum { CELL_CLASS = 1, CHAR_CLASS = 4, DOUBLE_CLASS = 6 };

struct lmb_mat {
    FILE *file;
    char *path;
    int error; /* errno of the first write that failed */
    bool too_large;
};

/* --- bytes -------------------------------------------------------------------------------------
 */

static void put(lmb_mat *m, const void *bytes, size_t count)
{
    if (count && !m->error && fwrite(bytes, 1, count, m->file) != count)
        m->error = errno ? errno : EIO;
}

/* A whole number of some bytes, the lowest first. */
static void put_integer(lmb_mat *m, uint64_t value, int bytes)
{
    unsigned char out[8];
    for (int i = 0; i < bytes; i++)
        out[i] = (unsigned char)(value >> (8 * i));
    put(m, out, (size_t)bytes);
}

static void put_double(lmb_mat *m, double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    put_integer(m, bits, 8);
}

/* The size of data when filled up to eight bytes. */
static size_t padded(size_t size)
{
    return (size + 7) / 8 * 8;
}

static void fill_up(lmb_mat *m, size_t size)
{
    put(m, "\0\0\0\0\0\0\0", padded(size) - size);
}

static void put_tag(lmb_mat *m, int type, size_t size)
{
    m->too_large = m->too_large || size > INT32_MAX;
    put_integer(m, (uint64_t)type, 4);
    put_integer(m, size, 4);
}

/* --- variables ---------------------------------------------------------------------------------
 */

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
    put(m, name, strlen(name));
    fill_up(m, strlen(name));
}

void lmb_mat_matrix(lmb_mat *m, const char *name, int rows, int columns, const double *values)
{
    size_t count = (size_t)rows * (size_t)columns;
    put_head(m, DOUBLE_CLASS, rows, columns, name, 8 + 8 * count);
    put_tag(m, DOUBLE, 8 * count);
    for (size_t i = 0; i < count; i++)
        put_double(m, values[i]);
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

void lmb_mat_texts(lmb_mat *m, const char *name, int count, char *const *texts)
{
    size_t size = 0;
    for (int i = 0; i < count; i++)
        size += 8 + head_size("") + text_size(texts[i]);
    put_head(m, CELL_CLASS, count, 1, name, size);
    for (int i = 0; i < count; i++)
        lmb_mat_text(m, "", texts[i]);
}

/* --- life --------------------------------------------------------------------------------------
 */

static void put_file_head(lmb_mat *m)
{
    char text[125];
    memset(text, ' ', sizeof text);
    int length = snprintf(text, 116, "MATLAB 5.0 MAT-file, written by limber %s", lmb_version());
    text[length] = ' ';
    memset(text + 116, 0, 8); /* no data of other programs */
    put(m, text, 124);
    put_integer(m, 0x0100, 2);
    put(m, "IM", 2); /* tells readers the order of bytes */
}

lmb_status lmb_mat_new(lmb_mat **out, lmb_context *context, const char *path)
{
    *out = NULL;
    lmb_mat *m = calloc(1, sizeof *m);
    char *copy = m ? strdup(path) : NULL;
    if (!copy) {
        free(m);
        return lmb_fail_memory(context);
    }
    m->path = copy;
    m->file = fopen(path, "wb");
    if (!m->file) {
        lmb_status status =
            lmb_fail(context, LMB_IO, "cannot write '%s': %s", path, strerror(errno));
        free(copy);
        free(m);
        return status;
    }
    put_file_head(m);
    *out = m;
    return LMB_OK;
}

lmb_status lmb_mat_close(lmb_mat *m, lmb_context *context)
{
    if (fclose(m->file) != 0 && !m->error)
        m->error = errno ? errno : EIO;
    lmb_status status = LMB_OK;
    if (m->error)
        status = lmb_fail(context, LMB_IO, "cannot write '%s': %s", m->path, strerror(m->error));
    else if (m->too_large)
        status = lmb_fail(context, LMB_IO, "a matrix is too large for the MAT-file '%s'", m->path);
    free(m->path);
    free(m);
    return status;
}
