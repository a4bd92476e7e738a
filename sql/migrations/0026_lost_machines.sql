-- Which machine of a node its account was seen to list. One that is not listed any more is lost.
CREATE TABLE machine_sighting (
  node_id       BIGINT       NOT NULL PRIMARY KEY,
  account_id    BIGINT       NOT NULL,
  machine_id    VARCHAR(255) NOT NULL COMMENT 'the id the provider gave it',
  misses        INT          NOT NULL COMMENT 'looks in a row that did not list it',
  missing_since DATETIME(6)  NULL     COMMENT 'null: the last look listed it',
  replace_after DATETIME(6)  NULL     COMMENT 'when its replacement is tried again; null: it was not refused',
  KEY machine_sighting_account (account_id),
  KEY machine_sighting_misses (misses),
  CONSTRAINT machine_sighting_node FOREIGN KEY (node_id) REFERENCES node (id) ON DELETE CASCADE,
  CONSTRAINT machine_sighting_account FOREIGN KEY (account_id) REFERENCES provider_account (id) ON DELETE CASCADE
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;
