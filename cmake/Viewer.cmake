# The viewer of reports: TypeScript in viewer/, bundled by Vite into one HTML page that the library
# carries. LIMBER_VIEWER_PAGE is that page; without Node.js it is an empty one, and `limber report`
# says what is missing.
find_program(LIMBER_NODE node)
find_program(LIMBER_NPM npm)

if(LIMBER_VIEWER AND LIMBER_NODE AND LIMBER_NPM)
  set(viewer ${CMAKE_CURRENT_SOURCE_DIR}/viewer)
  set(LIMBER_VIEWER_MODULES ${viewer}/node_modules/.package-lock.json)
  set(LIMBER_VIEWER_PAGE ${CMAKE_CURRENT_BINARY_DIR}/viewer/index.html)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${viewer}/src/*)

  # packages as package-lock.json has them; npm writes that hidden file when all are there
  add_custom_command(
    OUTPUT ${LIMBER_VIEWER_MODULES}
    COMMAND ${LIMBER_NPM} ci --ignore-scripts --prefer-offline --no-audit --no-fund --loglevel=error
    COMMAND ${CMAKE_COMMAND} -E touch ${LIMBER_VIEWER_MODULES}
    WORKING_DIRECTORY ${viewer}
    DEPENDS ${viewer}/package.json ${viewer}/package-lock.json ${viewer}/.npmrc
    COMMENT "Installing the packages of the viewer"
    VERBATIM)
  add_custom_command(
    OUTPUT ${LIMBER_VIEWER_PAGE}
    COMMAND ${LIMBER_NPM} run --silent build -- --outDir ${CMAKE_CURRENT_BINARY_DIR}/viewer
            --emptyOutDir --logLevel warn
    WORKING_DIRECTORY ${viewer}
    DEPENDS ${LIMBER_VIEWER_MODULES} ${sources} ${viewer}/index.html ${viewer}/vite.config.ts
    COMMENT "Building the viewer"
    VERBATIM)
else()
  set(LIMBER_VIEWER_PAGE ${CMAKE_CURRENT_BINARY_DIR}/no-viewer.html)
  file(WRITE ${LIMBER_VIEWER_PAGE} "")
  message(STATUS "No viewer: limber report needs Node.js with npm, and LIMBER_VIEWER=ON")
endif()
