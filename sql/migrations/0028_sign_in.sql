-- Failed sign-ins are counted for all web processes together.
CREATE TABLE sign_in_failure (
  subject  CHAR(64)    NOT NULL PRIMARY KEY COMMENT 'BLAKE2b-256 of what is counted: names that were typed may be passwords',
  failures INT         NOT NULL COMMENT 'in a row, sign-ins under way included',
  last_at  DATETIME(6) NOT NULL,
  KEY sign_in_failure_last (last_at)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;

-- Passwords that were given by somebody else, and people who may not come in.
ALTER TABLE user
  ADD COLUMN initial_until DATETIME(6) NULL
  COMMENT 'the password was given by somebody else, has to be changed, and is refused from then on' AFTER password_hash,
  ADD COLUMN disabled BOOLEAN NOT NULL DEFAULT FALSE COMMENT 'neither password nor API keys let in' AFTER initial_until;

-- A session has a number by which it is shown and ended, and says where it is used. Sessions before this have to sign in again.
DROP TABLE session;
CREATE TABLE session (
  id           BIGINT       NOT NULL AUTO_INCREMENT PRIMARY KEY,
  token_hash   CHAR(64)     NOT NULL COMMENT 'BLAKE2b-256 of the cookie, hexadecimal',
  user_id      BIGINT       NOT NULL,
  stage        VARCHAR(16)  NOT NULL COMMENT 'code: the second factor is missing; password, factor: may only set that; open',
  address      VARCHAR(64)  NOT NULL COMMENT 'of the client that signed in',
  agent        VARCHAR(255) NOT NULL COMMENT 'what its browser calls itself',
  created_at   DATETIME(6)  NOT NULL,
  last_used_at DATETIME(6)  NOT NULL COMMENT 'coarse: written every few minutes',
  proven_at    DATETIME(6)  NOT NULL COMMENT 'when a password or code was last given',
  expires_at   DATETIME(6)  NOT NULL,
  UNIQUE KEY session_token (token_hash),
  KEY session_expires (expires_at),
  KEY session_of_user (user_id),
  CONSTRAINT session_user FOREIGN KEY (user_id) REFERENCES user (id) ON DELETE CASCADE,
  CONSTRAINT session_stage CHECK (stage IN ('code', 'password', 'factor', 'open'))
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;

-- API keys with single rights, for single clusters, and when they were used.
ALTER TABLE api_key DROP CONSTRAINT api_key_scope;
ALTER TABLE api_key
  ADD COLUMN rights LONGTEXT NULL COMMENT 'scope some: array of kind:read or kind:write' AFTER scope,
  ADD COLUMN clusters LONGTEXT NULL COMMENT 'array of ids: only calls about these; empty: no such limit' AFTER rights,
  ADD COLUMN last_used_at DATETIME(6) NULL COMMENT 'coarse: written every few minutes' AFTER expires_at;
UPDATE api_key SET rights = '[]', clusters = '[]';
ALTER TABLE api_key
  MODIFY COLUMN rights LONGTEXT NOT NULL COMMENT 'scope some: array of kind:read or kind:write',
  MODIFY COLUMN clusters LONGTEXT NOT NULL COMMENT 'array of ids: only calls about these; empty: no such limit',
  ADD CONSTRAINT api_key_scope CHECK (scope IN ('all', 'read', 'some')),
  ADD CONSTRAINT api_key_rights CHECK (JSON_VALID(rights)),
  ADD CONSTRAINT api_key_clusters CHECK (JSON_VALID(clusters));

-- Second factors.
CREATE TABLE second_factor (
  user_id    BIGINT       NOT NULL PRIMARY KEY,
  secret     VARCHAR(512) NOT NULL COMMENT 'of the app that shows codes, sealed',
  confirmed  BOOLEAN      NOT NULL COMMENT 'a first code was right; before that nothing is asked for',
  last_step  BIGINT       NOT NULL COMMENT 'of 30 s since 1970: codes up to this one were used',
  created_at DATETIME(6)  NOT NULL,
  CONSTRAINT second_factor_user FOREIGN KEY (user_id) REFERENCES user (id) ON DELETE CASCADE
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;

CREATE TABLE recovery_code (
  user_id   BIGINT   NOT NULL,
  code_hash CHAR(64) NOT NULL COMMENT 'BLAKE2b-256, hexadecimal; deleted when it is used',
  PRIMARY KEY (user_id, code_hash),
  CONSTRAINT recovery_code_user FOREIGN KEY (user_id) REFERENCES user (id) ON DELETE CASCADE
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;
