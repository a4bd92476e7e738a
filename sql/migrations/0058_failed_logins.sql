-- Users may be told by mail of failed logins to their account. The provisioner reads them from the audit log.
ALTER TABLE mail_choice
  ADD COLUMN failed_logins BOOLEAN NOT NULL DEFAULT FALSE COMMENT 'mails about failed logins of the user' AFTER of_installation,
  ADD COLUMN failed_logins_told BIGINT NOT NULL DEFAULT 0 COMMENT 'number in the audit log of the tenant up to which they were told' AFTER failed_logins,
  ADD COLUMN failed_logins_at DATETIME(6) NULL COMMENT 'when the last mail about them was written; null: none was' AFTER failed_logins_told;
