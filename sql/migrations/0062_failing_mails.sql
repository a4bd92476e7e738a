-- Why a mail is not sent yet: who waits for it and superadmins are told.
ALTER TABLE mail
  ADD COLUMN error VARCHAR(500) NOT NULL DEFAULT '' COMMENT 'why the last attempt failed, with the mail server; empty: none failed',
  ADD COLUMN failing_since DATETIME(6) NULL COMMENT 'when the first attempt failed; null: none failed';
