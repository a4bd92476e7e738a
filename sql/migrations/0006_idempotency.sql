-- Creates that are asked for again under the same key make nothing more.

CREATE TABLE idempotency_key (
  user_id     BIGINT       NOT NULL,
  name        VARCHAR(255) NOT NULL,
  fingerprint CHAR(64)     NOT NULL COMMENT 'of the request it came with first',
  cluster_id  BIGINT       NOT NULL COMMENT 'what that made',
  created_at  DATETIME(6)  NOT NULL,
  PRIMARY KEY (user_id, name),
  KEY idempotency_key_age (created_at),
  CONSTRAINT idempotency_key_user FOREIGN KEY (user_id) REFERENCES user (id) ON DELETE CASCADE,
  CONSTRAINT idempotency_key_cluster FOREIGN KEY (cluster_id) REFERENCES cluster (id) ON DELETE CASCADE
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;
