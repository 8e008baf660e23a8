# Writes OUT: the texts of FILES as a C array of named strings (see Embed.cmake). The assembler copies the
# files, which is much faster than compiling their bytes.
set(bodies "")
set(entries "")
set(index 0)
foreach(file IN LISTS FILES)
  get_filename_component(name ${file} NAME_WE)
  set(symbol ${ARRAY}_text_${index})
  string(APPEND bodies "__asm__(\".pushsection .rodata\\n\"
        \"${symbol}: .incbin \\\"${file}\\\"\\n\"
        \".byte 0\\n\"
        \".popsection\");
extern const char ${symbol}[] __attribute__((visibility(\"hidden\")));\n")
  string(APPEND entries "    {\"${name}\", ${symbol}},\n")
  math(EXPR index "${index} + 1")
endforeach()
file(WRITE ${OUT} "#include \"base/embedded.h\"\n\n${bodies}
extern const lmb_embedded_text ${ARRAY}[];
const lmb_embedded_text ${ARRAY}[] = {\n${entries}    {0, 0}};\n")
