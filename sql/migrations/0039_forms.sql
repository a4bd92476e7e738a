-- Forms that were filled in and not carried out yet: a log-in came between, or a preview.
CREATE TABLE kept_form (
  id         CHAR(32)    NOT NULL COMMENT 'random; part of the address of its page',
  user_id    BIGINT      NOT NULL,
  path       VARCHAR(2048) NOT NULL COMMENT 'what it is sent to',
  body       MEDIUMTEXT  NOT NULL COMMENT 'its fields but the secret ones, as a browser writes them',
  created_at DATETIME(6) NOT NULL,
  PRIMARY KEY (id),
  KEY kept_form_user (user_id, created_at),
  KEY kept_form_age (created_at),
  CONSTRAINT kept_form_user FOREIGN KEY (user_id) REFERENCES user (id) ON DELETE CASCADE
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;

-- Forms that were sent, so that sending one a second time makes nothing a second time.
CREATE TABLE sent_form (
  user_id    BIGINT        NOT NULL,
  name       CHAR(64)      NOT NULL COMMENT 'hash of its path and its key',
  location   VARCHAR(2048) NULL     COMMENT 'where its answer led; null: it is being carried out',
  created_at DATETIME(6)   NOT NULL,
  PRIMARY KEY (user_id, name),
  KEY sent_form_age (created_at),
  CONSTRAINT sent_form_user FOREIGN KEY (user_id) REFERENCES user (id) ON DELETE CASCADE
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;
