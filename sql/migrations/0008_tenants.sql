-- Tenants that can be deleted, and what users keep about themselves.

ALTER TABLE tenant
  ADD COLUMN deleted_id BIGINT NOT NULL DEFAULT 0 COMMENT 'its own id once it is deleted: the name is free again'
  AFTER max_nodes;

ALTER TABLE tenant
  DROP INDEX tenant_name;

ALTER TABLE tenant
  ADD UNIQUE KEY tenant_name (name, deleted_id);

CREATE TABLE profile (
  user_id  BIGINT   NOT NULL PRIMARY KEY,
  document LONGTEXT NOT NULL COMMENT 'whatever the user put there',
  CONSTRAINT profile_user FOREIGN KEY (user_id) REFERENCES user (id) ON DELETE CASCADE,
  CONSTRAINT profile_document CHECK (JSON_VALID(document))
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;
