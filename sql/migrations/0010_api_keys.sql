-- API keys that may only read.

ALTER TABLE api_key
  ADD COLUMN scope VARCHAR(16) NOT NULL DEFAULT 'all' COMMENT 'what it may be used for: all, or only to read'
  AFTER key_hash;

ALTER TABLE api_key
  ADD CONSTRAINT api_key_scope CHECK (scope IN ('all', 'read'));
