# @summary An application server: nginx with a page of its own.
#
# @param heading  In the cluster's configuration: profile::app::heading
# @param port     In Hiera, for every cluster: site/common.yaml
# @param theme    In Hiera, for this service: site/services/puppet-app.yaml
class profile::app (
  String  $heading,
  Integer $port,
  String  $theme,
) {
  $root = '/srv/app'
  file { $root:
    ensure => directory,
  }
  file { "${root}/index.html":
    content => epp('profile/index.html.epp', {
      'heading' => $heading,
      'theme'   => $theme,
      'node'    => $facts['cooperage']['hostname'],
    }),
  }
  nginx::site { 'app':
    content => epp('profile/app.conf.epp', { 'port' => $port, 'root' => $root }),
  }
}
