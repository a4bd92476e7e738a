-- The comment of a column said something else than what is done.
ALTER TABLE session_view
  MODIFY COLUMN seen_at DATETIME(6) NOT NULL COMMENT 'when a page of the tenant was last looked at; written once a second at most';
