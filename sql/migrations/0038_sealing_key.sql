-- Which key of daemons seals, so that a host with an older one seals nothing that nobody opens later.
CREATE TABLE sealing_key (
  id           TINYINT     NOT NULL PRIMARY KEY COMMENT 'always 1',
  number       INT         NOT NULL,
  fingerprint  VARCHAR(16) NOT NULL COMMENT 'of its public half',
  published_at DATETIME(6) NOT NULL,
  spread_at    DATETIME(6) NULL     COMMENT 'since when all that daemons open is sealed under it; null: not yet',
  CONSTRAINT sealing_key_one CHECK (id = 1)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;
