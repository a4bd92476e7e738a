-- Ends of jobs are in the audit log: the daemon records those that are not yet. Jobs that ended before this are not.
ALTER TABLE job
  ADD COLUMN end_recorded BOOLEAN NOT NULL DEFAULT FALSE COMMENT 'its end is in the audit log' AFTER kept,
  ADD KEY job_unrecorded (end_recorded, finished_at);
UPDATE job SET end_recorded = TRUE WHERE finished_at IS NOT NULL;
