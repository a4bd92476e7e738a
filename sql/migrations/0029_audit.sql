-- The audit log: who did what, from where, with what outcome. A chain of hashes per tenant; 0 is the installation's.
-- No reference to other tables: events stay when what they are about is gone.
CREATE TABLE audit_chain (
  tenant_id     BIGINT      NOT NULL PRIMARY KEY COMMENT '0: the installation',
  number        BIGINT      NOT NULL COMMENT 'of its last event; 0: none yet',
  hash          CHAR(64)    NOT NULL COMMENT 'of its last event',
  at            DATETIME(6) NOT NULL COMMENT 'of its last event',
  sealed_number BIGINT      NOT NULL DEFAULT 0 COMMENT 'the last event that a seal covers'
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;

-- Every column but hash is hashed (provisioner/model/audit/event.hpp says how), so none may change its text.
CREATE TABLE audit_event (
  tenant_id     BIGINT        NOT NULL,
  number        BIGINT        NOT NULL COMMENT 'from 1, without gaps',
  at            DATETIME(6)   NOT NULL,
  user_id       BIGINT        NOT NULL COMMENT '0: nobody, or nobody that is known',
  user_name     VARCHAR(255)  NOT NULL,
  user_tenant   VARCHAR(255)  NOT NULL,
  role          VARCHAR(16)   NOT NULL,
  credential    VARCHAR(64)   NOT NULL COMMENT 'session, key and its id, headers',
  client        VARCHAR(64)   NOT NULL COMMENT 'address',
  request       VARCHAR(64)   NOT NULL,
  action        VARCHAR(64)   NOT NULL,
  object_kind   VARCHAR(32)   NOT NULL,
  object_id     VARCHAR(64)   NOT NULL,
  object_name   VARCHAR(255)  NOT NULL,
  outcome       VARCHAR(16)   NOT NULL,
  status        INT           NOT NULL COMMENT 'of the answer that refused; else 0',
  reason        VARCHAR(1000) NOT NULL,
  times         INT           NOT NULL COMMENT 'refusals of one kind within a minute are one row',
  before_value  MEDIUMTEXT    NOT NULL COMMENT 'JSON without secrets; empty: there was nothing',
  after_value   MEDIUMTEXT    NOT NULL,
  previous      CHAR(64)      NOT NULL COMMENT 'hash of the event before it',
  hash          CHAR(64)      NOT NULL COMMENT 'SHA-256',
  PRIMARY KEY (tenant_id, number),
  KEY audit_event_at (tenant_id, at),
  KEY audit_event_user (tenant_id, user_name),
  KEY audit_event_action (tenant_id, action),
  KEY audit_event_object (tenant_id, object_name),
  KEY audit_event_object_id (tenant_id, object_id),
  KEY audit_event_request (tenant_id, request),
  KEY audit_event_kind (tenant_id, object_kind),
  KEY audit_event_outcome (tenant_id, outcome),
  CONSTRAINT audit_event_outcome CHECK (outcome IN ('done', 'refused', 'failed'))
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;

-- Signatures of what a chain was at a moment, under a key that only the daemon has.
CREATE TABLE audit_seal (
  tenant_id  BIGINT       NOT NULL,
  number     BIGINT       NOT NULL COMMENT 'of the last event that it covers',
  hash       CHAR(64)     NOT NULL COMMENT 'of that event',
  sealed_at  DATETIME(6)  NOT NULL,
  public_key VARCHAR(64)  NOT NULL COMMENT 'base64',
  signature  VARCHAR(128) NOT NULL COMMENT 'Ed25519, base64',
  anchor     VARCHAR(128) NOT NULL DEFAULT '' COMMENT 'signature of: what is before it was deleted by age',
  PRIMARY KEY (tenant_id, number)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;

-- How far each receiver of events has acknowledged each chain.
CREATE TABLE audit_export (
  target    VARCHAR(255) NOT NULL,
  tenant_id BIGINT       NOT NULL,
  number    BIGINT       NOT NULL COMMENT 'of the last event that it has',
  PRIMARY KEY (target, tenant_id)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;

-- Who sends to a receiver: one daemon at a time.
CREATE TABLE audit_target (
  target     VARCHAR(255)  NOT NULL PRIMARY KEY,
  held_by    VARCHAR(64)   NOT NULL,
  held_until DATETIME(6)   NOT NULL,
  failures   INT           NOT NULL DEFAULT 0 COMMENT 'in a row',
  retry_at   DATETIME(6)   NULL,
  error      VARCHAR(1000) NOT NULL DEFAULT ''
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;
