-- What accounts of clouds allow a second is shared by all daemons.
CREATE TABLE call_rate (
  account CHAR(64)    NOT NULL COMMENT 'a fingerprint of type and name of the account',
  kind    VARCHAR(32) NOT NULL COMMENT 'read or create: counted apart',
  idle_at DATETIME(6) NOT NULL COMMENT 'when all calls that were taken will have gone (GCRA)',
  PRIMARY KEY (account, kind),
  KEY call_rate_idle (idle_at)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;
