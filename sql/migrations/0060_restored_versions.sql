-- The history of an entry says which version was restored.
ALTER TABLE catalogue_version
  ADD COLUMN restored_version INT NOT NULL DEFAULT 0 COMMENT 'the version that the act restored; 0: it restored none, or this was not kept yet' AFTER act;
