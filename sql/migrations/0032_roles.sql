-- Two more roles: who operates all clusters of a tenant, and who reads everything.
ALTER TABLE user DROP CONSTRAINT user_role;
ALTER TABLE user
  ADD CONSTRAINT user_role CHECK (role IN ('superadmin', 'admin', 'operator', 'user', 'auditor'));

-- What superadmins let a tenant use.
ALTER TABLE tenant
  ADD COLUMN provider_types LONGTEXT NULL
  COMMENT 'array of the types of providers its clusters may use; null: all' AFTER budget_per_month;
ALTER TABLE tenant ADD CONSTRAINT tenant_provider_types CHECK (JSON_VALID(provider_types));

-- Groups of users, for permissions. GROUP is a word of SQL.
CREATE TABLE user_group (
  id          BIGINT       NOT NULL AUTO_INCREMENT PRIMARY KEY,
  tenant_id   BIGINT       NOT NULL,
  name        VARCHAR(255) NOT NULL,
  description TEXT         NOT NULL,
  created_at  DATETIME(6)  NOT NULL,
  UNIQUE KEY user_group_name (tenant_id, name),
  CONSTRAINT user_group_tenant FOREIGN KEY (tenant_id) REFERENCES tenant (id)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;

CREATE TABLE user_group_member (
  group_id BIGINT NOT NULL,
  user_id  BIGINT NOT NULL,
  PRIMARY KEY (group_id, user_id),
  KEY user_group_member_user (user_id),
  CONSTRAINT user_group_member_group FOREIGN KEY (group_id) REFERENCES user_group (id) ON DELETE CASCADE,
  CONSTRAINT user_group_member_user FOREIGN KEY (user_id) REFERENCES user (id) ON DELETE CASCADE
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;

-- Who may use an entry of the catalogue. Without a row everybody; with a row and without grants only administrators.
CREATE TABLE entry_permission (
  id        BIGINT       NOT NULL AUTO_INCREMENT PRIMARY KEY,
  tenant_id BIGINT       NOT NULL,
  kind      VARCHAR(16)  NOT NULL,
  name      VARCHAR(255) NOT NULL COMMENT 'of the entry, in all versions; stays when the entry is deleted',
  UNIQUE KEY entry_permission_name (tenant_id, kind, name),
  CONSTRAINT entry_permission_tenant FOREIGN KEY (tenant_id) REFERENCES tenant (id),
  CONSTRAINT entry_permission_kind CHECK (kind IN ('provider', 'hardware_type', 'image_type', 'service', 'cluster_template'))
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;

-- One of role, user and group is set.
CREATE TABLE entry_grant (
  id            BIGINT      NOT NULL AUTO_INCREMENT PRIMARY KEY,
  permission_id BIGINT      NOT NULL,
  role          VARCHAR(16) NULL,
  user_id       BIGINT      NULL,
  group_id      BIGINT      NULL,
  KEY entry_grant_permission (permission_id),
  KEY entry_grant_user (user_id),
  KEY entry_grant_group (group_id),
  CONSTRAINT entry_grant_permission FOREIGN KEY (permission_id) REFERENCES entry_permission (id) ON DELETE CASCADE,
  CONSTRAINT entry_grant_user FOREIGN KEY (user_id) REFERENCES user (id) ON DELETE CASCADE,
  CONSTRAINT entry_grant_group FOREIGN KEY (group_id) REFERENCES user_group (id) ON DELETE CASCADE,
  CONSTRAINT entry_grant_role CHECK (role IN ('superadmin', 'admin', 'operator', 'user', 'auditor'))
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;
