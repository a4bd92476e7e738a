# @summary One site. A server that runs takes a new configuration at once; one that does not is left alone.
#
# @param content What stands in the file.
define nginx::site (
  String[1] $content,
) {
  $file = "/etc/nginx/conf.d/${name}.conf"
  file { $file:
    content => $content,
    notify  => Exec["nginx takes ${name}"],
  }
  exec { "nginx takes ${name}":
    command     => 'nginx -t && nginx -s reload',
    provider    => shell,
    path        => ['/usr/sbin', '/usr/bin', '/sbin', '/bin'],
    onlyif      => 'test -s /run/nginx.pid && kill -0 "$(cat /run/nginx.pid)"',
    refreshonly => true,
  }
}
