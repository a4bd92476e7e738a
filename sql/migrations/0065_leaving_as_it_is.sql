-- What a job is called that only gives up to remove what an earlier one could not.
ALTER TABLE job
  ADD COLUMN leaves_as_is BOOLEAN NOT NULL DEFAULT FALSE COMMENT 'those services had left the cluster before: it only gives up to remove what is installed' AFTER goes_on_without;
