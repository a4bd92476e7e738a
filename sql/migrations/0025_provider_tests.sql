-- The last test of each provider: whether its login is valid, and what may be chosen there.
CREATE TABLE provider_test (
  tenant_id   BIGINT       NOT NULL,
  provider    VARCHAR(255) NOT NULL COMMENT 'its name in the catalogue',
  number      BIGINT       NOT NULL COMMENT 'counts the tests; an answer to an earlier one is dropped',
  asked_at    DATETIME(6)  NOT NULL,
  asked_by    VARCHAR(255) NOT NULL COMMENT 'name of the user who asked or saved the provider',
  taken_until DATETIME(6)  NULL     COMMENT 'a daemon is at it until then; null: nobody',
  done_at     DATETIME(6)  NULL     COMMENT 'null: it waits, or is under way',
  passed      TINYINT      NOT NULL DEFAULT 0,
  message     TEXT         NOT NULL COMMENT 'why it did not pass',
  offer       LONGTEXT     NOT NULL COMMENT 'choices by field, and notes',
  PRIMARY KEY (tenant_id, provider),
  KEY provider_test_due (done_at, taken_until),
  CONSTRAINT provider_test_tenant FOREIGN KEY (tenant_id) REFERENCES tenant (id),
  CONSTRAINT provider_test_offer CHECK (JSON_VALID(offer))
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;
