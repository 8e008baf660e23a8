# Writes OUT: the texts of FILES as a C array of named byte strings (see Embed.cmake).
set(bodies "")
set(entries "")
set(index 0)
foreach(file IN LISTS FILES)
  get_filename_component(name ${file} NAME_WE)
  file(READ ${file} hex HEX)
  string(REGEX REPLACE "(..)" "0x\\1," bytes "${hex}")
  string(APPEND bodies "static const unsigned char text_${index}[] = {${bytes}0};\n")
  string(APPEND entries "    {\"${name}\", (const char *)text_${index}},\n")
  math(EXPR index "${index} + 1")
endforeach()
file(WRITE ${OUT} "#include \"cli/templates.h\"\n\n${bodies}
const lmb_embedded_text ${ARRAY}[] = {\n${entries}    {0, 0}};\n")
