-- People are told by mail what becomes of their clusters.
-- Nobody is told of what was before: rows that are there get TRUE without being written, later ones FALSE.
ALTER TABLE callback
  ADD COLUMN is_noted BOOLEAN NOT NULL DEFAULT TRUE COMMENT 'whether the mails about it were written' AFTER finished_at;

ALTER TABLE callback
  ALTER COLUMN is_noted SET DEFAULT FALSE,
  ADD KEY callback_noted (is_noted, id);

CREATE TABLE mail_choice (
  user_id      BIGINT       NOT NULL PRIMARY KEY,
  address      VARCHAR(254) NOT NULL COMMENT 'where mails go, confirmed; empty: none',
  events       VARCHAR(64)  NOT NULL COMMENT 'words of callback.event, with commas',
  next_address VARCHAR(254) NOT NULL COMMENT 'becomes the address when its code is given; empty: none',
  code_hash    CHAR(64)     NULL     COMMENT 'BLAKE2b-256 of the code, hexadecimal',
  code_until   DATETIME(6)  NULL     COMMENT 'when the code ends',
  code_tries   INT          NOT NULL COMMENT 'wrong codes',
  codes_day    DATE         NULL,
  codes_sent   INT          NOT NULL COMMENT 'codes on that day',
  KEY mail_choice_next (next_address),
  CONSTRAINT mail_choice_user FOREIGN KEY (user_id) REFERENCES user (id) ON DELETE CASCADE,
  CONSTRAINT mail_choice_code CHECK ((code_hash IS NULL) = (code_until IS NULL))
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;

CREATE TABLE mail (
  id         BIGINT       NOT NULL AUTO_INCREMENT PRIMARY KEY,
  user_id    BIGINT       NOT NULL,
  address    VARCHAR(254) NOT NULL,
  subject    VARCHAR(255) NOT NULL,
  body       TEXT         NOT NULL,
  is_code    BOOLEAN      NOT NULL COMMENT 'confirms an address: goes before others',
  attempts   INT          NOT NULL COMMENT 'attempts begun',
  until      DATETIME(6)  NOT NULL COMMENT 'later it is not sent any more',
  next_at    DATETIME(6)  NOT NULL COMMENT 'when it is sent, or sent again if nobody says how it went',
  created_at DATETIME(6)  NOT NULL,
  KEY mail_due (next_at),
  KEY mail_user (user_id),
  CONSTRAINT mail_user FOREIGN KEY (user_id) REFERENCES user (id) ON DELETE CASCADE
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;
