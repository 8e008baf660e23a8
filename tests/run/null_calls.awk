# Makes a C file of the public headers: for each pointer of each public function a call with that
# argument NULL and others that make sense (`given` and `number` of test_null_arguments.c), and for
# each function with several pointers one call with all of them NULL.
BEGIN { count = 0 }
{
    if (/^#/)
        next
    text = text $0 "\n"
}
END {
    while (match(text, /\/\*([^*]|\*+[^*\/])*\*+\//))
        text = substr(text, 1, RSTART - 1) substr(text, RSTART + RLENGTH)
    while (match(text, /LMB_API [^;]*;/)) {
        declare(substr(text, RSTART + 8, RLENGTH - 9))
        text = substr(text, RSTART + RLENGTH)
    }
    print "\nstatic const null_call calls[] = {"
    for (i = 0; i < count; i++)
        print "    {" entries[i] "},"
    print "};"
}
function trimmed(s) {
    gsub(/[ \t\n]+/, " ", s)
    gsub(/^ | $/, "", s)
    return s
}
function declare(s,    open, head, name, parts, n, i, pointers) {
    s = trimmed(s)
    open = index(s, "(")
    head = substr(s, 1, open - 1)
    name = head
    sub(/.*[ *]/, "", name)
    n = split(substr(s, open + 1, length(s) - open - 1), parts, ",")
    pointers = 0
    for (i = 1; i <= n; i++) {
        arguments[i] = trimmed(parts[i])
        sub(/.*[ *]/, "", arguments[i])
        types[i] = trimmed(parts[i])
        sub(/[a-z_0-9]+$/, "", types[i])
        called_back[i] = types[i] ~ /_(function|hook) \*$/
        pointers += is_pointer[i] = types[i] ~ /\*/
    }
    for (i = 1; i <= n; i++)
        if (is_pointer[i])
            call(name, head, n, i)
    if (pointers > 1)
        call(name, head, n, 0)
}
# One call with argument `missing` NULL; 0: all of them.
function call(name, head, n, missing,    list, i) {
    for (i = 1; i <= n; i++) {
        list = list (i > 1 ? ", " : "")
        if (is_pointer[i])
            list = list (!missing || i == missing || called_back[i] ? "NULL" \
                         : "(" types[i] ")given(\"" name "\", \"" types[i] "\", \"" arguments[i] "\")")
        else
            list = list "(" types[i] ")number(\"" arguments[i] "\")"
    }
    print "static void call_" count "(void)\n{"
    print "    " (head ~ /^lmb_status / ? "status = " : "(void)") name "(" list ");\n}\n"
    entries[count++] = "\"" name "\", \"" (missing ? arguments[missing] : "all") "\", call_" count - 1
}
