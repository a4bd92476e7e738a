-- What a job is called that takes services away so that the rest of a failed job goes on.
ALTER TABLE job
  ADD COLUMN goes_on_without TEXT NULL COMMENT 'services that it removes so that the rest of a failed job goes on; null: it does not',
  ADD CONSTRAINT job_goes_on CHECK (goes_on_without IS NULL OR JSON_VALID(goes_on_without));
