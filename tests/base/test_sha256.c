/* SHA-256 against the examples of FIPS 180-4. */
#include <string.h>

#include "base/sha256.h"
#include "support.h"

static void check(const char *text, size_t times, const char *expected)
{
    char found[LMB_SHA256_TEXT];
    lmb_sha256 sha = lmb_sha256_start();
    for (size_t i = 0; i < times; i++)
        lmb_sha256_add(&sha, text, strlen(text));
    lmb_sha256_end(&sha, found);
    assert_string_equal(found, expected);
}

static void test_examples(void **state)
{
    (void)state;
    check("", 1, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    check("abc", 1, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    check("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 1,
          "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
    check("a", 1000000, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_examples)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
