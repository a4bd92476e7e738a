-- A superadmin views tenants by address, several at once in a session. Each view is recorded once.
CREATE TABLE session_view (
  session_id BIGINT        NOT NULL,
  tenant_id  BIGINT        NOT NULL COMMENT 'the tenant that a superadmin views in the session, reading only',
  came_from  VARCHAR(1000) NOT NULL COMMENT 'address below the prefix of the page that led there; may be empty',
  PRIMARY KEY (session_id, tenant_id),
  CONSTRAINT session_view_session FOREIGN KEY (session_id) REFERENCES session (id) ON DELETE CASCADE
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;

-- Superadmins are told by mail of what is wrong with the installation.
ALTER TABLE mail_choice
  ADD COLUMN of_installation BOOLEAN NOT NULL DEFAULT FALSE COMMENT 'mails about the whole installation, for superadmins' AFTER events;

CREATE TABLE told_trouble (
  kind    VARCHAR(16)  NOT NULL COMMENT 'provisioner: it is silent; queue: tasks of a tenant wait long; budget: of a tenant, nearly used up',
  subject VARCHAR(255) NOT NULL COMMENT 'instance of a provisioner, or name of a tenant',
  told_at DATETIME(6)  NOT NULL,
  PRIMARY KEY (kind, subject)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;

ALTER TABLE session
  DROP COLUMN views_tenant_id;
