/* Bytes come back from base64; the examples are those of RFC 4648. */
#include "support.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"

static void bytes_come_back(void **state)
{
    (void)state;
    static const char *const pairs[][2] = {{"", ""},
                                           {"f", "Zg=="},
                                           {"fo", "Zm8="},
                                           {"foo", "Zm9v"},
                                           {"foob", "Zm9vYg=="},
                                           {"foobar", "Zm9vYmFy"},
                                           {"\xff\xfe\xfd", "//79"}};
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        char *text = NULL;
        size_t size = 0;
        FILE *out = open_memstream(&text, &size);
        lmb_put_base64(out, (const unsigned char *)pairs[i][0], strlen(pairs[i][0]));
        fclose(out);
        assert_string_equal(text, pairs[i][1]);
        unsigned char bytes[8];
        assert_int_equal(lmb_base64_read(bytes, text, size), strlen(pairs[i][0]));
        assert_memory_equal(bytes, pairs[i][0], strlen(pairs[i][0]));
        free(text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(bytes_come_back)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
