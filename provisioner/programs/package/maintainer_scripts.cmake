# The scripts that Debian's package manager runs, and the list of the files that administrators may change.

function(cooperage_scripts component)
    # This form keeps the semicolons of scripts.
    cmake_parse_arguments(PARSE_ARGV 1 ARG "" "SERVICES;MAKE_FOLDERS;CLEAN;PURGED" "CONFFILES")
    set(PACKAGE cooperage-${component})
    set(SERVICES ${ARG_SERVICES})
    # Written out, because tools of Debian look for these lines.
    set(REGISTER "")
    set(UNREGISTER "")
    string(REPLACE " " ";" names "${ARG_SERVICES}")
    foreach(name IN LISTS names)
        string(APPEND REGISTER "update-rc.d ${name} defaults >/dev/null\n")
        string(APPEND UNREGISTER "    update-rc.d ${name} remove >/dev/null\n")
    endforeach()
    set(MAKE_FOLDERS "${ARG_MAKE_FOLDERS}")
    set(CLEAN "${ARG_CLEAN}")
    set(PURGED "${ARG_PURGED}")
    foreach(script postinst prerm postrm)
        set(from ${here}/${component}.${script})
        if(NOT EXISTS ${from})
            set(from ${here}/service.${script})
        endif()
        configure_file(${from} ${made}/${component}/${script} @ONLY
            FILE_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
    endforeach()
    list(JOIN ARG_CONFFILES "\n" lines)
    file(WRITE ${made}/${component}/conffiles "${lines}\n")
endfunction()

cooperage_scripts(common CONFFILES /etc/cooperage/cooperage.conf /etc/logrotate.d/cooperage)
cooperage_scripts(web
    SERVICES cooperage-web
    # What they include goes now, so a web server that has them could not start again.
    CLEAN "for link in /etc/nginx/sites-enabled/cooperage* /etc/apache2/sites-enabled/cooperage*.conf /etc/lighttpd/conf-enabled/*-cooperage*.conf; do
        if [ -L $link ]; then rm -f $link; fi
    done
    for server in nginx apache2 lighttpd; do
        if [ -x /etc/init.d/$server ]; then invoke-rc.d $server reload >/dev/null 2>&1 || true; fi
    done"
    PURGED "/var/log/nginx/cooperage.*.log* /var/log/apache2/cooperage*.log* /var/log/lighttpd/cooperage*.log*"
    CONFFILES /etc/cron.d/cooperage-web /etc/init.d/cooperage-web ${cooperage_sites})
cooperage_scripts(provisioner
    SERVICES "cooperage-local-hosts cooperage-provisioner"
    MAKE_FOLDERS "install -d -m 755 /var/lib/cooperage /var/cache/cooperage
install -d -m 700 /var/lib/cooperage/local
install -d -m 750 -o cooperage-provisioner -g cooperage-provisioner /var/lib/cooperage/simulated /var/cache/cooperage/resources"
    CLEAN "cooperage-local-host cleanup --state /var/lib/cooperage/local || true"
    PURGED "/var/lib/cooperage /var/cache/cooperage"
    CONFFILES /etc/cron.d/cooperage-provisioner /etc/init.d/cooperage-provisioner
              /etc/cron.d/cooperage-local-hosts /etc/init.d/cooperage-local-hosts)
