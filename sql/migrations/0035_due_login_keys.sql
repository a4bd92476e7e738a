-- Nodes that are due for another login key are found by an index, and a rotation can end without nodes that never will have it.
ALTER TABLE login_key
  ADD COLUMN enlisted_at DATETIME(6) NULL COMMENT 'when its nodes had rows in node_login_key; null: look for them',
  ADD KEY login_key_unlisted (state, enlisted_at),
  ADD KEY login_key_unsettled (state, spread_at);

ALTER TABLE node_login_key
  ADD COLUMN due_at DATETIME(6) NULL COMMENT 'when a daemon may try; null: never, it is done or has no machine',
  ADD COLUMN fence BIGINT NOT NULL DEFAULT 0 COMMENT 'grows with each try: what an earlier one does late is refused',
  ADD COLUMN given_up_at DATETIME(6) NULL COMMENT 'since when no older key is kept for it',
  ADD COLUMN given_up_by VARCHAR(255) NOT NULL DEFAULT '',
  ADD KEY node_login_key_due (due_at);
