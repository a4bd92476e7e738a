# @summary A load balancer in front of every node of the cluster that has the application.
#
# @param port      Where people come in.
# @param app_port  The application's; the same key of Hiera as its own.
class profile::balancer (
  Integer[1, 65535] $port,
  Integer[1, 65535] $app_port = lookup('profile::app::port'),
) {
  # The nodes of the cluster are a fact, so a cluster that grows needs no change here.
  $servers = $facts['cooperage']['nodes'].filter |$host, $node| { 'puppet-app' in $node['services'] }
  if $servers.empty {
    fail('there is no node with puppet-app in this cluster')
  }
  nginx::site { 'balancer':
    content => epp('profile/balancer.conf.epp', {
      'port'    => $port,
      'servers' => $servers.map |$host, $node| { "${node['ipaddresses']['bind_v4']}:${app_port}" }.sort,
    }),
  }
}
