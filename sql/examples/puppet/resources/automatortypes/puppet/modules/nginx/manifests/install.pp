# @summary The package; nothing of Debian's default site stays.
#
# @param package  One of Debian's. The cluster's configuration reaches every parameter of a class: another name would be
#   another program, and one that begins with a dash an option of apt-get, which can run commands.
class nginx::install (
  Enum['nginx-light', 'nginx-full', 'nginx-extras'] $package = 'nginx-light',
) {
  package { $package:
    ensure => installed,
  }
  file { '/etc/nginx/sites-enabled/default':
    ensure  => absent,
    require => Package[$package],
  }
}
