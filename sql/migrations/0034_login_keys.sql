-- Keys with which daemons log in to machines, per tenant or provider, and how far they have got on each node. Without a row
-- here a provider uses the installation's key, one derived from it, or a file of its own.
CREATE TABLE login_key (
  id          BIGINT        NOT NULL AUTO_INCREMENT PRIMARY KEY,
  tenant_id   BIGINT        NOT NULL,
  provider    VARCHAR(255)  NOT NULL COMMENT 'empty: all providers of the tenant that have no key of their own',
  public_key  VARCHAR(255)  NOT NULL,
  private_key VARCHAR(2000) NOT NULL COMMENT 'sealed; empty once it is retired',
  state       VARCHAR(16)   NOT NULL,
  made_at     DATETIME(6)   NOT NULL,
  made_by     VARCHAR(255)  NOT NULL,
  spread_at   DATETIME(6)   NULL     COMMENT 'when all nodes had it; null: not yet',
  retired_at  DATETIME(6)   NULL     COMMENT 'when no node needed it any more',
  KEY login_key_owner (tenant_id, provider, state),
  CONSTRAINT login_key_tenant FOREIGN KEY (tenant_id) REFERENCES tenant (id),
  CONSTRAINT login_key_state CHECK (state IN ('current', 'replaced', 'retired'))
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;

-- A node without a row has not been looked at. Only step done counts: then key_id opens it and no older key does.
CREATE TABLE node_login_key (
  node_id    BIGINT        NOT NULL PRIMARY KEY,
  key_id     BIGINT        NOT NULL COMMENT 'the key that the node gets',
  step       VARCHAR(16)   NOT NULL,
  tries      INT           NOT NULL DEFAULT 0 COMMENT 'that failed, in a row',
  message    VARCHAR(1000) NOT NULL DEFAULT '' COMMENT 'why the last try failed',
  held_until DATETIME(6)   NULL     COMMENT 'a daemon works on it',
  retry_at   DATETIME(6)   NULL,
  changed_at DATETIME(6)   NOT NULL,
  CONSTRAINT node_login_key_node FOREIGN KEY (node_id) REFERENCES node (id) ON DELETE CASCADE,
  CONSTRAINT node_login_key_key FOREIGN KEY (key_id) REFERENCES login_key (id),
  CONSTRAINT node_login_key_step CHECK (step IN ('waiting', 'added', 'tried', 'done'))
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;
