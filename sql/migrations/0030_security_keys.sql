-- Security keys and passkeys as second factors.
CREATE TABLE security_key (
  id           BIGINT       NOT NULL AUTO_INCREMENT PRIMARY KEY,
  user_id      BIGINT       NOT NULL,
  name         VARCHAR(255) NOT NULL COMMENT 'what its owner calls it',
  host         VARCHAR(255) NOT NULL COMMENT 'of the site for which it was made: it signs for no other',
  credential   VARCHAR(1400) CHARACTER SET ascii COLLATE ascii_bin NOT NULL COMMENT 'its own name for it, base64url',
  algorithm    INT          NOT NULL COMMENT 'of COSE: -7 ES256, -8 EdDSA, -257 RS256',
  public_key   TEXT         NOT NULL COMMENT 'as libfido2 has it, base64url',
  count        BIGINT       NOT NULL COMMENT 'how often it has signed; 0: it does not count',
  is_backed_up BOOLEAN      NOT NULL COMMENT 'its maker keeps it on several devices',
  created_at   DATETIME(6)  NOT NULL,
  last_used_at DATETIME(6)  NULL,
  UNIQUE KEY security_key_credential (credential),
  KEY security_key_of_user (user_id),
  CONSTRAINT security_key_user FOREIGN KEY (user_id) REFERENCES user (id) ON DELETE CASCADE
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;

-- A tenant may ask for more than the installation does.
ALTER TABLE tenant
  ADD COLUMN second_factor VARCHAR(16) NOT NULL DEFAULT 'nobody'
  COMMENT 'who has to have one: nobody (the setting auth.second_factor decides), admins, everybody',
  ADD CONSTRAINT tenant_second_factor CHECK (second_factor IN ('nobody', 'admins', 'everybody'));
