-- The form that somebody had sent when their session was over, for after a log-in at an identity provider.
ALTER TABLE external_sign_in
  ADD COLUMN kept_path VARCHAR(2048) NULL COMMENT 'what the form is sent to, with its query; null: there is no form' AFTER again,
  ADD COLUMN kept_body MEDIUMTEXT    NULL COMMENT 'its fields, without secrets' AFTER kept_path;
