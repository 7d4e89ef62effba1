# Run by CTest with -P. Stops at the first command that fails.
function(run)
  execute_process(COMMAND ${ARGN} COMMAND_ECHO STDOUT COMMAND_ERROR_IS_FATAL ANY)
endfunction()

set(prefix ${work_dir}/prefix)
file(REMOVE_RECURSE ${prefix} ${work_dir}/outside)
run(${CMAKE_COMMAND} --install ${build_dir} --prefix ${prefix})

set(flags "")
if(sanitize)
  set(flags "-fsanitize=${sanitize}")
endif()
run(${CMAKE_COMMAND} -S ${outside_dir} -B ${work_dir}/outside -G ${generator} -D CMAKE_BUILD_TYPE=${build_type}
  -D CMAKE_CXX_COMPILER=${compiler} -D CMAKE_CXX_FLAGS=${flags} -D CMAKE_PREFIX_PATH=${prefix}
  -D CMAKE_FIND_PACKAGE_NO_PACKAGE_REGISTRY=ON)
run(${CMAKE_COMMAND} --build ${work_dir}/outside)
execute_process(COMMAND ${work_dir}/outside/outside OUTPUT_VARIABLE output COMMAND_ERROR_IS_FATAL ANY)
if(NOT output MATCHES "daedalus ${version}")
  message(FATAL_ERROR "the outside program printed: ${output}")
endif()

# The installed program runs from its place.
execute_process(COMMAND ${prefix}/bin/daedalus --version OUTPUT_VARIABLE output COMMAND_ERROR_IS_FATAL ANY)
if(NOT output MATCHES "${version}")
  message(FATAL_ERROR "the installed program printed: ${output}")
endif()
