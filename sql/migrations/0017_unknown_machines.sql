-- Marks what is ours where others may keep things, too.
CREATE TABLE installation (
  only_one BOOLEAN  NOT NULL PRIMARY KEY,
  id       CHAR(32) NOT NULL,
  CONSTRAINT installation_only_one CHECK (only_one = 1)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;

-- Where the fields of providers lead, to look there for machines no node has: each account by one daemon at a time.
CREATE TABLE provider_account (
  id            BIGINT       NOT NULL AUTO_INCREMENT PRIMARY KEY,
  tenant_id     BIGINT       NOT NULL COMMENT '0: of the installation, as hosts of a daemon are',
  provider_type VARCHAR(255) NOT NULL,
  name          VARCHAR(255) NOT NULL COMMENT 'what people know it by; no secret',
  provider      VARCHAR(255) NOT NULL COMMENT 'the provider whose fields lead there; empty for the installation',
  known_at      DATETIME(6)  NOT NULL COMMENT 'when a provider or a cluster last led there, to the hour',
  looked_at     DATETIME(6)  NULL     COMMENT 'when its machines were last listed; null: never',
  next_look_at  DATETIME(6)  NOT NULL,
  failures      INT          NOT NULL COMMENT 'looks that failed since then',
  error         TEXT         NOT NULL COMMENT 'why the last look failed; empty: it did not',
  UNIQUE KEY provider_account_name (tenant_id, provider_type, name)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;

-- Machines that are there although no node has them: left alone, for a person to look at.
CREATE TABLE unknown_machine (
  id            BIGINT       NOT NULL AUTO_INCREMENT PRIMARY KEY,
  account_id    BIGINT       NOT NULL,
  tenant_id     BIGINT       NOT NULL COMMENT 'whose admins see it; 0: superadmins only',
  machine_id    VARCHAR(255) NOT NULL COMMENT 'the id the provider gave it',
  name          VARCHAR(255) NOT NULL,
  addresses     TEXT         NOT NULL COMMENT 'address type -> address',
  first_seen_at DATETIME(6)  NOT NULL,
  last_seen_at  DATETIME(6)  NOT NULL,
  UNIQUE KEY unknown_machine_id (account_id, machine_id),
  KEY unknown_machine_list (tenant_id, id),
  CONSTRAINT unknown_machine_account FOREIGN KEY (account_id) REFERENCES provider_account (id) ON DELETE CASCADE,
  CONSTRAINT unknown_machine_addresses CHECK (JSON_VALID(addresses))
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;
