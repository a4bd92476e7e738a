# @summary Whether nginx runs. An action that starts says running, one that stops says stopped.
class nginx::service (
  Enum['running', 'stopped'] $ensure = 'running',
) {
  service { 'nginx':
    ensure => $ensure,
  }
}
