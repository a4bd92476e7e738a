-- The key of plugin_resource was longer than an index of InnoDB may be. MariaDB makes such a key of hashes, which locks what
-- lies between two of them: uploads of several tenants at once got into each other's way. MySQL refuses it. Plugins and their
-- types of files are named by automators and providers, with few letters.

ALTER TABLE plugin_resource
  MODIFY plugin VARCHAR(128) NOT NULL,
  MODIFY resource_type VARCHAR(128) NOT NULL,
  DROP KEY plugin_resource_version,
  ADD UNIQUE KEY plugin_resource_version (tenant_id, kind, plugin, resource_type, name, version);
