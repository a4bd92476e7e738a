-- Jobs that a person ends, tasks that are tried again, callbacks.

ALTER TABLE job
  ADD COLUMN aborted BOOLEAN NOT NULL DEFAULT FALSE COMMENT 'a person ended it: what runs is the last of it'
  AFTER tasks_failed;

ALTER TABLE task
  ADD COLUMN forgiven INT NOT NULL DEFAULT 0 COMMENT 'attempts before a person asked to try again'
  AFTER attempt;

ALTER TABLE cluster
  ADD COLUMN warned_for DATETIME(6) NULL COMMENT 'the end of the lease that was warned of'
  AFTER expires_at;

-- What happened to clusters, for those who asked to be called back: written with the change, sent by the daemon.
CREATE TABLE callback (
  id             BIGINT      NOT NULL AUTO_INCREMENT PRIMARY KEY,
  cluster_id     BIGINT      NOT NULL,
  job_id         BIGINT      NOT NULL COMMENT 'the latest one where it is about the cluster',
  event          VARCHAR(16) NOT NULL,
  cluster_status VARCHAR(16) NOT NULL COMMENT 'as it was then',
  job_status     VARCHAR(16) NOT NULL,
  message        TEXT        NOT NULL,
  state          VARCHAR(16) NOT NULL,
  attempts       INT         NOT NULL COMMENT 'attempts begun',
  next_at        DATETIME(6) NULL     COMMENT 'when it is sent, or sent again if nobody says how it went',
  body           LONGTEXT    NULL     COMMENT 'what was sent and will be sent again; forgotten when it is over',
  reply          INT         NULL     COMMENT 'HTTP status of the last answer',
  error          TEXT        NOT NULL COMMENT 'why the last attempt failed',
  created_at     DATETIME(6) NOT NULL,
  finished_at    DATETIME(6) NULL,
  KEY callback_due (state, next_at),
  KEY callback_of (cluster_id, id),
  CONSTRAINT callback_cluster FOREIGN KEY (cluster_id) REFERENCES cluster (id),
  CONSTRAINT callback_job FOREIGN KEY (job_id) REFERENCES job (id),
  CONSTRAINT callback_event CHECK (event IN ('start', 'success', 'failure', 'expiring')),
  CONSTRAINT callback_state CHECK (state IN ('waiting', 'delivered', 'given_up', 'unwanted')),
  CONSTRAINT callback_ended CHECK ((state = 'waiting') = (finished_at IS NULL))
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;
