-- What a daemon counts itself, for whoever watches the installation.
ALTER TABLE daemon
  ADD COLUMN metrics MEDIUMTEXT NOT NULL DEFAULT ('[]') COMMENT 'what it counts itself, as of its last heartbeat',
  ADD CONSTRAINT daemon_metrics CHECK (JSON_VALID(metrics));

-- The request that asked for a job, so that lines of the web's log and of the daemon's meet.
ALTER TABLE job
  ADD COLUMN request VARCHAR(64) NOT NULL DEFAULT '' COMMENT 'id of the request that asked for it; empty: none did' AFTER asked_by;
