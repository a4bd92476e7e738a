-- A job that is run again on some of its machines ends when these are through, and not when all tasks are done.
ALTER TABLE job
  ADD COLUMN tasks_left INT NOT NULL DEFAULT 0 COMMENT 'failed and cancelled ones that the last retry has left as they were' AFTER tasks_failed;
