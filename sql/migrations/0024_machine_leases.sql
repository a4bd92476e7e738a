-- Existing machines that are not free: which node has which, and what is done with them afterwards.
CREATE TABLE machine_lease (
  id            BIGINT       NOT NULL AUTO_INCREMENT PRIMARY KEY,
  tenant_id     BIGINT       NOT NULL COMMENT 'whose provider lists it',
  provider_type VARCHAR(255) NOT NULL,
  provider      VARCHAR(255) NOT NULL,
  node          VARCHAR(64)  NOT NULL COMMENT 'name of the machine of the node that has or had it',
  held_by       VARCHAR(64)  NULL     COMMENT 'the same while the node has it',
  cluster       VARCHAR(32)  NOT NULL COMMENT 'of the node; it may be gone',
  task          BIGINT       NOT NULL COMMENT 'the latest that took it',
  machine       VARCHAR(255) NOT NULL COMMENT 'the name that its owner gave it',
  spread        VARCHAR(255) NOT NULL COMMENT 'what the nodes of a cluster are spread by',
  listed        TEXT         NOT NULL COMMENT 'the machine as its owner listed it; no secret',
  state         VARCHAR(16)  NOT NULL,
  reason        TEXT         NOT NULL COMMENT 'why it is broken, what it waits for',
  leased_at     DATETIME(6)  NOT NULL,
  changed_at    DATETIME(6)  NOT NULL COMMENT 'when it came to its state',
  UNIQUE KEY machine_lease_holder (held_by),
  KEY machine_lease_node (node),
  KEY machine_lease_cluster (cluster),
  KEY machine_lease_account (tenant_id, provider_type, provider),
  CONSTRAINT machine_lease_state CHECK (state IN ('leased', 'powered', 'wiping', 'wiped', 'broken')),
  CONSTRAINT machine_lease_listed CHECK (JSON_VALID(listed))
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;

-- By what a leased machine is known, whoever lists it: its address, its host keys, its controller.
CREATE TABLE machine_lease_identity (
  identity VARCHAR(255) NOT NULL PRIMARY KEY,
  lease_id BIGINT       NOT NULL,
  KEY machine_lease_identity_lease (lease_id),
  CONSTRAINT machine_lease_identity_lease FOREIGN KEY (lease_id) REFERENCES machine_lease (id) ON DELETE CASCADE
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;
