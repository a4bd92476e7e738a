# @summary The package; nothing of Debian's default site stays.
class nginx::install (
  String[1] $package = 'nginx-light',
) {
  package { $package:
    ensure => installed,
  }
  file { '/etc/nginx/sites-enabled/default':
    ensure  => absent,
    require => Package[$package],
  }
}
