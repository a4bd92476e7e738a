-- Files of plugins that are deleted still count when versions are numbered.

ALTER TABLE plugin_resource
  ADD COLUMN deleted BOOLEAN NOT NULL DEFAULT FALSE COMMENT 'kept without content, so that its version is not used again'
  AFTER slated;
