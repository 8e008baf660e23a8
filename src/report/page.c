/* Pages of reports; the form is described in page.h. */
#include "report/page.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <zlib.h>

#include "base/memory.h"
#include "base/text.h"
#include "base/file.h"

bool lmb_page_open(lmb_page *page)
{
    *page = (lmb_page){.arena = lmb_arena_new()};
    lmb_json_start_text(&page->json);
    lmb_json_open_flat(&page->json, NULL, '{');
    page->blocks_out = lmb_text_open(&page->blocks, &page->blocks_size);
    page->failed = !page->blocks_out || !page->arena;
    return !page->failed;
}

void lmb_page_close(lmb_page *page)
{
    free(lmb_json_end_text(&page->json));
    if (page->blocks_out)
        fclose(page->blocks_out);
    free(page->blocks);
    lmb_arena_free(page->arena);
}

/* --- blocks ----------------------------------------------------------------------------------- */

/* Bytes of numbers in planes; those of a big-endian machine come out the same. */
static void separate(unsigned char *out, const unsigned char *in, size_t width, size_t count)
{
    const uint16_t probe = 1;
    bool little = *(const unsigned char *)&probe == 1;
    for (size_t k = 0; k < width; k++)
        for (size_t i = 0; i < count; i++)
            out[k * count + i] = in[i * width + (little ? k : width - 1 - k)];
}

void lmb_page_block(lmb_page *page, const char *key, const char *type, const void *numbers,
                    size_t count)
{
    size_t width = (size_t)atoi(type + 1) / 8, size = count * width; /* "f32": four bytes */
    uLongf packed_size = compressBound((uLong)size);
    unsigned char *planes = lmb_malloc(size + 1), *packed = lmb_malloc(packed_size);
    if (!planes || !packed || (!numbers && count > 0) || page->failed) {
        page->failed = true;
    } else {
        separate(planes, numbers, width, count);
        page->failed = compress2(packed, &packed_size, planes, (uLong)size, 6) != Z_OK;
    }
    if (!page->failed) {
        lmb_fprintf(page->blocks_out, "<script type=\"text/plain\" id=\"block%d\">",
                    page->block_count);
        lmb_put_base64(page->blocks_out, packed, packed_size);
        fputs("</script>\n", page->blocks_out);
        lmb_json_object(&page->json, key, "block %d, type %s, count %zu", page->block_count++, type,
                        count);
    }
    free(planes);
    free(packed);
}

/* --- the file --------------------------------------------------------------------------------- */

/* JSON without the signs of HTML, which only strings could have. */
static void put_json(FILE *out, const char *json)
{
    for (; *json; json++)
        if (*json == '<' || *json == '>' || *json == '&')
            lmb_fprintf(out, "\\u%04x", (unsigned)*json);
        else
            putc(*json, out);
}

/* An existing file is replaced only if it is a page: a slip of the hand in `-o` must not cost
 * somebody a model or results. */
static lmb_status check_replaceable(lmb_context *context, const char *path)
{
    char start[16] = "";
    FILE *file = lmb_input_open(path, LMB_SOURCE_FILE);
    if (!file)
        return LMB_OK;
    size_t length = fread(start, 1, sizeof start - 1, file);
    fclose(file);
    if (length == 0 || strncmp(start, "<!doctype html", 14) == 0 ||
        strncmp(start, "<!DOCTYPE html", 14) == 0)
        return LMB_OK;
    lmb_fail(context, LMB_IO, "'%s' exists and is not a report, so it is not replaced", path);
    return lmb_hint(context, "give the report another name, or remove that file");
}

lmb_status lmb_page_write(lmb_page *page, lmb_context *context, const char *viewer,
                          const char *path)
{
    viewer = viewer ? viewer : lmb_viewer[0].text;
    const char *mark = strstr(viewer, LMB_PAGE_MARK);
    if (!mark) {
        lmb_fail(context, LMB_USAGE, "this limber was built without the viewer of reports");
        return lmb_hint(context, "install Node.js with npm and build again");
    }
    lmb_status status = check_replaceable(context, path);
    if (status)
        return status;
    char *text = NULL, *json = lmb_json_end_text(&page->json);
    size_t size = 0;
    FILE *out = lmb_text_open(&text, &size);
    bool failed = !json || !out || page->failed || fflush(page->blocks_out);
    if (!failed) {
        fwrite(viewer, 1, (size_t)(mark - viewer), out);
        fputs("<script type=\"application/json\" id=\"limber-report\">", out);
        put_json(out, json);
        fputs("</script>\n", out);
        fwrite(page->blocks, 1, page->blocks_size, out);
        fputs(mark + strlen(LMB_PAGE_MARK), out);
    }
    failed = !lmb_text_close(out) || failed || ferror(page->blocks_out);
    status = failed ? lmb_fail_memory(context) : lmb_file_write(context, path, text, size);
    free(json);
    free(text);
    return status;
}
