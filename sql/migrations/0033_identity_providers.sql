-- Identity providers: who else says who people are.
CREATE TABLE identity_provider (
  id         BIGINT        NOT NULL AUTO_INCREMENT PRIMARY KEY,
  name       VARCHAR(64)   NOT NULL,
  document   LONGTEXT      NOT NULL COMMENT 'kind, settings and rules, without the secret',
  secret     VARCHAR(4096) NOT NULL COMMENT 'client secret or password of the service account, sealed; empty: none',
  changed_at DATETIME(6)   NOT NULL,
  UNIQUE KEY identity_provider_name (name),
  CONSTRAINT identity_provider_document CHECK (JSON_VALID(document))
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;

-- Users whom a provider made. They have no password here.
CREATE TABLE external_user (
  user_id      BIGINT       NOT NULL PRIMARY KEY,
  provider_id  BIGINT       NOT NULL,
  tenant_id    BIGINT       NOT NULL COMMENT 'of the user',
  subject      VARCHAR(255) NOT NULL COMMENT 'sub, entryUUID or objectGUID: never a name or an address',
  confirmed_at DATETIME(6)  NOT NULL COMMENT 'when the provider last said that the user belongs here',
  gone_at      DATETIME(6)  NULL COMMENT 'disabled because the provider does not say so any more',
  UNIQUE KEY external_user_subject (provider_id, subject, tenant_id),
  KEY external_user_confirmed (provider_id, confirmed_at),
  CONSTRAINT external_user_user FOREIGN KEY (user_id) REFERENCES user (id) ON DELETE CASCADE,
  CONSTRAINT external_user_provider FOREIGN KEY (provider_id) REFERENCES identity_provider (id) ON DELETE CASCADE
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;

-- Sessions that began at a provider, for logging out there and from there.
CREATE TABLE external_session (
  session_id  BIGINT       NOT NULL PRIMARY KEY,
  provider_id BIGINT       NOT NULL,
  subject     VARCHAR(255) NOT NULL,
  sid         VARCHAR(255) NOT NULL COMMENT 'what the provider calls the session; may be empty',
  id_token    LONGTEXT     NOT NULL COMMENT 'sealed; empty: none',
  KEY external_session_subject (provider_id, subject),
  KEY external_session_sid (provider_id, sid),
  CONSTRAINT external_session_session FOREIGN KEY (session_id) REFERENCES session (id) ON DELETE CASCADE,
  CONSTRAINT external_session_provider FOREIGN KEY (provider_id) REFERENCES identity_provider (id) ON DELETE CASCADE
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;

-- Sign-ins that went to a provider and have not come back. Each comes back once.
CREATE TABLE external_sign_in (
  state_hash  CHAR(64)      NOT NULL PRIMARY KEY COMMENT 'BLAKE2b-256 of the state, hexadecimal',
  provider_id BIGINT        NOT NULL,
  browser     CHAR(64)      NOT NULL COMMENT 'BLAKE2b-256 of the cookie of the browser that asked',
  next_page   VARCHAR(2048) NOT NULL,
  address     VARCHAR(64)   NOT NULL COMMENT 'of the client',
  again       BOOLEAN       NOT NULL COMMENT 'the password has to be given again',
  expires_at  DATETIME(6)   NOT NULL,
  KEY external_sign_in_expires (expires_at),
  KEY external_sign_in_address (address),
  CONSTRAINT external_sign_in_provider FOREIGN KEY (provider_id) REFERENCES identity_provider (id) ON DELETE CASCADE
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;

-- Messages of providers that end sessions. Each counts once.
CREATE TABLE external_message (
  message_hash CHAR(64)    NOT NULL PRIMARY KEY COMMENT 'BLAKE2b-256 of issuer and jti',
  expires_at   DATETIME(6) NOT NULL,
  KEY external_message_expires (expires_at)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;
