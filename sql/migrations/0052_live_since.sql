-- The page of a file says which clusters were set up before the version in use was put to use.
ALTER TABLE plugin_resource
  ADD COLUMN live_since DATETIME(6) NULL COMMENT 'when a live version was put to use; null: when it was made, as far as is known' AFTER slated;
