# limber_embed(OUTPUT ARRAY FILE...): a C file with the texts of FILEs as
#     const lmb_embedded_text ARRAY[] = {{"name", "text"}, ..., {0, 0}};
function(limber_embed output array)
  set(out ${CMAKE_CURRENT_BINARY_DIR}/${output})
  add_custom_command(
    OUTPUT ${out}
    COMMAND ${CMAKE_COMMAND} -DOUT=${out} -DARRAY=${array} "-DFILES=${ARGN}"
            -P ${CMAKE_CURRENT_SOURCE_DIR}/cmake/EmbedScript.cmake
    DEPENDS ${ARGN} ${CMAKE_CURRENT_SOURCE_DIR}/cmake/EmbedScript.cmake
    VERBATIM)
endfunction()
