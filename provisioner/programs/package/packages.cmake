# What `cmake --install` and `cpack` put where. Each folder lists what it installs in its own CMakeLists.txt; here is what the packages
# need as a whole. Paths are GNU's; the packages of Debian are made with the prefix /usr.

# cooperage_manual(<program>): the manual page of a program, printed by itself.
function(cooperage_manual program component)
    set(page ${CMAKE_BINARY_DIR}/man/${program}.8.gz)
    add_custom_command(OUTPUT ${page}
        COMMAND ${CMAKE_COMMAND} -E make_directory ${CMAKE_BINARY_DIR}/man
        COMMAND sh -c "'$<TARGET_FILE:${program}>' --man | gzip -9n >'${page}'"
        DEPENDS ${program} VERBATIM)
    add_custom_target(man-${program} DEPENDS ${page})
    add_dependencies(packages-content man-${program})
    install(FILES ${page} DESTINATION ${CMAKE_INSTALL_MANDIR}/man8 COMPONENT ${component})
endfunction()

add_custom_target(packages-content)
set(made ${CMAKE_BINARY_DIR}/packages-content)
set(here ${CMAKE_SOURCE_DIR}/provisioner/programs/package)
file(MAKE_DIRECTORY ${made})

# The settings file and its page, made of the table of all settings.
add_custom_command(OUTPUT ${made}/cooperage.conf ${made}/cooperage.conf.5.gz
    COMMAND sh -c "'$<TARGET_FILE:cooperage-migrate>' settings >'${made}/cooperage.conf'"
    COMMAND sh -c "'$<TARGET_FILE:cooperage-migrate>' settings-page | gzip -9n >'${made}/cooperage.conf.5.gz'"
    DEPENDS cooperage-migrate VERBATIM)
add_custom_target(packages-settings DEPENDS ${made}/cooperage.conf)
add_dependencies(packages-content packages-settings cooperage-web cooperage-provisioner cooperage-migrate cooperage-local-host
                 cooperage-local-init)
install(FILES ${made}/cooperage.conf DESTINATION ${CMAKE_INSTALL_FULL_SYSCONFDIR}/cooperage COMPONENT common)
install(DIRECTORY DESTINATION ${CMAKE_INSTALL_FULL_SYSCONFDIR}/cooperage/conf.d COMPONENT common)
install(FILES ${made}/cooperage.conf.5.gz DESTINATION ${CMAKE_INSTALL_MANDIR}/man5 COMPONENT common)

install(TARGETS cooperage-migrate DESTINATION ${CMAKE_INSTALL_SBINDIR} COMPONENT common)
install(TARGETS cooperage-web DESTINATION ${CMAKE_INSTALL_SBINDIR} COMPONENT web)
install(TARGETS cooperage-provisioner cooperage-local-host DESTINATION ${CMAKE_INSTALL_SBINDIR} COMPONENT provisioner)
install(TARGETS cooperage-local-init DESTINATION ${CMAKE_INSTALL_PREFIX}/lib/cooperage COMPONENT provisioner)
cooperage_manual(cooperage-migrate common)
cooperage_manual(cooperage-web web)
cooperage_manual(cooperage-provisioner provisioner)
cooperage_manual(cooperage-local-host provisioner)

install(PROGRAMS ${here}/run-as ${here}/keep ${here}/create-users ${here}/create-keys
        DESTINATION ${CMAKE_INSTALL_PREFIX}/lib/cooperage COMPONENT common)
# What the programs are made of (CycloneDX). ninja knows which headers were read.
if(CMAKE_GENERATOR STREQUAL "Ninja")
    set(whole cooperage-web cooperage-provisioner cooperage-migrate cooperage-local-host cooperage-local-init)
    list(TRANSFORM whole REPLACE "(.+)" "$<TARGET_FILE:\\1>" OUTPUT_VARIABLE files)
    add_custom_command(OUTPUT ${made}/cooperage.cdx.json
        COMMAND ${here}/sbom ${made}/cooperage.cdx.json ${PROJECT_VERSION} ${CMAKE_SOURCE_DIR} ${CMAKE_BINARY_DIR} ${CMAKE_MAKE_PROGRAM} ${files}
        DEPENDS ${here}/sbom ${here}/copyright ${whole} VERBATIM)
    add_custom_target(packages-sbom DEPENDS ${made}/cooperage.cdx.json)
    add_dependencies(packages-content packages-sbom)
    install(FILES ${made}/cooperage.cdx.json DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/cooperage-common COMPONENT common)
endif()
add_custom_command(OUTPUT ${made}/NEWS.gz
    COMMAND sh -c "gzip -9nc '${CMAKE_SOURCE_DIR}/CHANGELOG.md' >'${made}/NEWS.gz'"
    DEPENDS ${CMAKE_SOURCE_DIR}/CHANGELOG.md VERBATIM)
add_custom_target(packages-news DEPENDS ${made}/NEWS.gz)
add_dependencies(packages-content packages-news)
install(FILES ${made}/NEWS.gz DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/cooperage-common COMPONENT common)
install(DIRECTORY sql/ DESTINATION ${COOPERAGE_DATADIR}/sql COMPONENT common PATTERN README.md EXCLUDE)
install(DIRECTORY views DESTINATION ${COOPERAGE_DATADIR} COMPONENT web)
install(DIRECTORY static DESTINATION ${COOPERAGE_DATADIR} COMPONENT web PATTERN readme EXCLUDE)
install(DIRECTORY nginx/ DESTINATION ${COOPERAGE_DATADIR}/nginx COMPONENT web PATTERN dev.conf EXCLUDE)
# cooperage_site(<file of nginx/> <folder below /etc> <name>): a site that an administrator enables.
function(cooperage_site file folder name)
    install(FILES nginx/${file} DESTINATION ${CMAKE_INSTALL_FULL_SYSCONFDIR}/${folder} RENAME ${name} COMPONENT web)
    set_property(GLOBAL APPEND PROPERTY cooperage_sites ${CMAKE_INSTALL_FULL_SYSCONFDIR}/${folder}/${name})
endfunction()
cooperage_site(cooperage.conf nginx/sites-available cooperage)
cooperage_site(cooperage-tls.conf nginx/sites-available cooperage-tls)
cooperage_site(apache.conf apache2/sites-available cooperage.conf)
cooperage_site(apache-tls.conf apache2/sites-available cooperage-tls.conf)
cooperage_site(lighttpd.conf lighttpd/conf-available 50-cooperage.conf)
cooperage_site(lighttpd-tls.conf lighttpd/conf-available 51-cooperage-tls.conf)
get_property(cooperage_sites GLOBAL PROPERTY cooperage_sites)
install(FILES provisioner/daemon/prometheus/cooperage.rules.yml DESTINATION ${COOPERAGE_DATADIR}/prometheus COMPONENT provisioner)

# What only a Debian package has.
set(etc ${CMAKE_INSTALL_FULL_SYSCONFDIR})
set(documentation ${CMAKE_INSTALL_DATADIR}/doc)
foreach(component common web provisioner)
    install(FILES ${here}/copyright DESTINATION ${documentation}/cooperage-${component} COMPONENT ${component})
    install(FILES ${here}/${component}.lintian-overrides DESTINATION ${CMAKE_INSTALL_DATADIR}/lintian/overrides
            RENAME cooperage-${component} COMPONENT ${component})
    add_custom_command(OUTPUT ${made}/${component}/changelog.gz
        COMMAND ${CMAKE_COMMAND} -E make_directory ${made}/${component}
        COMMAND ${here}/debian-changelog ${PROJECT_VERSION} ${CMAKE_SOURCE_DIR}/CHANGELOG.md ${made}/${component}/changelog
        COMMAND gzip -9nf ${made}/${component}/changelog
        DEPENDS ${here}/debian-changelog ${CMAKE_SOURCE_DIR}/CHANGELOG.md VERBATIM)
    add_custom_target(changelog-${component} DEPENDS ${made}/${component}/changelog.gz)
    add_dependencies(packages-content changelog-${component})
    install(FILES ${made}/${component}/changelog.gz DESTINATION ${documentation}/cooperage-${component} COMPONENT ${component})
endforeach()

function(cooperage_service name folder component)
    install(FILES ${folder}/${name}.service DESTINATION lib/systemd/system COMPONENT ${component})
    if(EXISTS ${folder}/${name}.tmpfiles)
        install(FILES ${folder}/${name}.tmpfiles DESTINATION lib/tmpfiles.d RENAME ${name}.conf COMPONENT ${component})
    endif()
    install(FILES ${folder}/${name}.cron DESTINATION ${etc}/cron.d RENAME ${name} COMPONENT ${component})
    install(PROGRAMS ${folder}/${name}.init DESTINATION ${etc}/init.d RENAME ${name} COMPONENT ${component})
endfunction()
cooperage_service(cooperage-web ${CMAKE_SOURCE_DIR}/fcgi/package web)
cooperage_service(cooperage-provisioner ${CMAKE_SOURCE_DIR}/provisioner/daemon/package provisioner)
cooperage_service(cooperage-local-hosts ${CMAKE_SOURCE_DIR}/provisioner/providers/local/package provisioner)
set(LOGS /var/log/cooperage)
configure_file(${CMAKE_SOURCE_DIR}/provisioner/daemon/cooperage.logrotate ${made}/logrotate @ONLY)
install(FILES ${made}/logrotate DESTINATION ${etc}/logrotate.d RENAME cooperage COMPONENT common)
install(DIRECTORY DESTINATION /var/lib/cooperage COMPONENT provisioner)
install(DIRECTORY DESTINATION /var/cache/cooperage COMPONENT provisioner)
install(DIRECTORY DESTINATION /var/log/cooperage COMPONENT common)

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME cooperage)
set(CPACK_PACKAGE_VENDOR Cooperage)
set(CPACK_PACKAGE_CONTACT "Cooperage <packages@cooperage.invalid>")
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_SET_DESTDIR ON)
set(CPACK_COMPONENTS_ALL common web provisioner)
set(CPACK_COMPONENTS_GROUPING IGNORE)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ
    WORLD_EXECUTE)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_DEBUGINFO_PACKAGE ON)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_DEBIAN_PACKAGE_SECTION admin)
set(CPACK_DEBIAN_PACKAGE_PRIORITY optional)

set(CPACK_DEBIAN_COMMON_PACKAGE_NAME cooperage-common)
set(CPACK_DEBIAN_WEB_PACKAGE_NAME cooperage-web)
set(CPACK_DEBIAN_PROVISIONER_PACKAGE_NAME cooperage-provisioner)
set(CPACK_DEBIAN_COMMON_PACKAGE_DEPENDS "passwd, openssh-client, libcppdb-mysql0, logrotate")
set(CPACK_DEBIAN_COMMON_PACKAGE_RECOMMENDS "mariadb-client | mysql-client")
set(CPACK_DEBIAN_WEB_PACKAGE_DEPENDS "cooperage-common (= ${PROJECT_VERSION}), procps")
set(CPACK_DEBIAN_WEB_PACKAGE_RECOMMENDS "nginx | apache2 | lighttpd, cron | systemd-sysv")
set(CPACK_DEBIAN_WEB_PACKAGE_SUGGESTS "mariadb-server | mysql-server, prometheus")
set(CPACK_DEBIAN_PROVISIONER_PACKAGE_DEPENDS "cooperage-common (= ${PROJECT_VERSION}), iproute2, nftables, procps")
set(CPACK_DEBIAN_PROVISIONER_PACKAGE_RECOMMENDS "cron | systemd-sysv, debootstrap")
set(CPACK_DEBIAN_PROVISIONER_PACKAGE_SUGGESTS "mariadb-server | mysql-server")
set(CPACK_COMPONENT_COMMON_DESCRIPTION "self-service cluster provisioning: settings and schema
Administrators describe providers, hardware, images, services and cluster
templates once; users pick a template and a size. Cooperage decides which
services go on which node and carries the tasks out over SSH.

This package has the settings, the schema of the database and the command
cooperage-migrate, which prepares, checks, saves and restores it.")
set(CPACK_COMPONENT_WEB_DESCRIPTION "self-service cluster provisioning: pages and JSON API
Administrators describe providers, hardware, images, services and cluster
templates once; users pick a template and a size. Cooperage decides which
services go on which node and carries the tasks out over SSH.

This package has the FastCGI program behind nginx, Apache or lighttpd, and
their sites.")
set(CPACK_COMPONENT_PROVISIONER_DESCRIPTION "self-service cluster provisioning: daemon
Administrators describe providers, hardware, images, services and cluster
templates once; users pick a template and a size. Cooperage decides which
services go on which node and carries the tasks out over SSH.

This package has the daemon that claims tasks from the queue in the database
and performs them, and the maker of hosts on the daemon's own machine.")
foreach(component COMMON WEB PROVISIONER)
    string(TOLOWER ${component} folder)
    set(scripts ${made}/${folder})
    set(CPACK_DEBIAN_${component}_PACKAGE_CONTROL_EXTRA "${scripts}/postinst;${scripts}/postrm;${scripts}/conffiles")
    if(NOT component STREQUAL COMMON)
        list(APPEND CPACK_DEBIAN_${component}_PACKAGE_CONTROL_EXTRA ${scripts}/prerm)
    endif()
endforeach()
set(CPACK_OUTPUT_FILE_PREFIX ${CMAKE_BINARY_DIR}/packages)
include(${here}/maintainer_scripts.cmake)
include(CPack)
