# @summary An application server: nginx with a page of its own.
#
# The cluster's user writes what is in its configuration, so types say all that may stand there.
#
# @param heading  In the cluster's configuration: profile::app::heading
# @param port     In Hiera, for every cluster: site/common.yaml
# @param theme    In Hiera, for this service: site/services/puppet-app.yaml
class profile::app (
  String[1, 200] $heading,
  Integer[1, 65535] $port,
  Pattern[/\A#[0-9a-fA-F]{6}\z/] $theme,
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
