# make install: library, headers, program, man page, schema, pkg-config file, CMake package.
include(CMakePackageConfigHelpers)

install(TARGETS limber EXPORT limberTargets LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(TARGETS limber_program RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(DIRECTORY include/limber DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/limber.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/limber.schema.json
        DESTINATION ${CMAKE_INSTALL_DATADIR}/limber)
install(DIRECTORY examples DESTINATION ${CMAKE_INSTALL_DATADIR}/limber
        PATTERN .limber-cache EXCLUDE PATTERN *.h5 EXCLUDE) # what runs have left there
install(FILES LICENSE README.md CHANGELOG.md ${CMAKE_CURRENT_BINARY_DIR}/reference.md
        DESTINATION ${CMAKE_INSTALL_DOCDIR})

# limber.pc finds its prefix from where it stands, so that the installed tree can be moved
file(RELATIVE_PATH LIMBER_PC_UP /prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig /prefix)
string(REGEX REPLACE "/$" "" LIMBER_PC_UP "${LIMBER_PC_UP}")
configure_file(cmake/limber.pc.in limber.pc @ONLY)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/limber.pc
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

install(EXPORT limberTargets NAMESPACE limber::
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/limber)
configure_package_config_file(cmake/limberConfig.cmake.in limberConfig.cmake
                              INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/limber)
write_basic_package_version_file(limberConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/limberConfig.cmake
              ${CMAKE_CURRENT_BINARY_DIR}/limberConfigVersion.cmake
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/limber)
