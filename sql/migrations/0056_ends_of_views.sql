-- A view of a tenant ends with its session or after a pause, too, and its end is recorded: a row outlives the session until then.
ALTER TABLE session_view
  DROP FOREIGN KEY session_view_session,
  ADD COLUMN user_id   BIGINT       NULL COMMENT 'of the superadmin' AFTER came_from,
  ADD COLUMN user_name VARCHAR(255) NULL COMMENT 'of the superadmin, who may have been deleted' AFTER user_id,
  ADD COLUMN began_at  DATETIME(6)  NULL AFTER user_name,
  ADD COLUMN seen_at   DATETIME(6)  NULL COMMENT 'when a page of the tenant was last looked at; coarse: written once a minute' AFTER began_at;

UPDATE session_view
JOIN session ON session.id = session_view.session_id
JOIN user ON user.id = session.user_id
SET session_view.user_id = user.id, session_view.user_name = user.name,
    session_view.began_at = session.created_at, session_view.seen_at = session.last_used_at;

ALTER TABLE session_view
  MODIFY COLUMN user_id   BIGINT       NOT NULL COMMENT 'of the superadmin',
  MODIFY COLUMN user_name VARCHAR(255) NOT NULL COMMENT 'of the superadmin, who may have been deleted',
  MODIFY COLUMN began_at  DATETIME(6)  NOT NULL,
  MODIFY COLUMN seen_at   DATETIME(6)  NOT NULL COMMENT 'when a page of the tenant was last looked at; coarse: written once a minute';
