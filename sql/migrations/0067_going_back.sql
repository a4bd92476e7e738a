-- Jobs that apply the last configuration that worked again have a name of their own.
ALTER TABLE job
  ADD COLUMN goes_back BOOLEAN NOT NULL DEFAULT FALSE COMMENT 'it applies the last configuration that worked again' AFTER only_keeps;
