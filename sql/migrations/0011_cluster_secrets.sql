-- Secret provider fields that people give for one cluster.

ALTER TABLE cluster
  ADD COLUMN secrets MEDIUMTEXT NOT NULL DEFAULT ('{}') COMMENT 'provider fields given for it alone: name, sealed value'
  AFTER snapshot;

ALTER TABLE cluster
  ADD CONSTRAINT cluster_secrets CHECK (JSON_VALID(secrets));
