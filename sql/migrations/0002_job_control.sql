-- Jobs that a person ends, tasks that are tried again.

ALTER TABLE job
  ADD COLUMN aborted BOOLEAN NOT NULL DEFAULT FALSE COMMENT 'a person ended it: what runs is the last of it'
  AFTER tasks_failed;

ALTER TABLE task
  ADD COLUMN forgiven INT NOT NULL DEFAULT 0 COMMENT 'attempts before a person asked to try again'
  AFTER attempt;
