-- What a cluster goes back to when a new configuration fails.
ALTER TABLE cluster
  ADD COLUMN working_config LONGTEXT NULL COMMENT 'the configuration before the first of the latest ones that failed; null: none was replaced' AFTER config,
  ADD CONSTRAINT cluster_working_config CHECK (working_config IS NULL OR JSON_VALID(working_config));
