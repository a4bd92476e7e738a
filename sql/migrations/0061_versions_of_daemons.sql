-- Which version each daemon is of: during an update several run side by side.
ALTER TABLE daemon
  ADD COLUMN version VARCHAR(64) NOT NULL DEFAULT '' COMMENT 'of its program; empty: it does not say, as those before this column';
