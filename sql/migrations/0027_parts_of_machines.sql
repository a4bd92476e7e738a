-- What is left of machines and clusters is told apart from machines: it has prices of its own.
ALTER TABLE unknown_machine
  ADD COLUMN part VARCHAR(32) NOT NULL DEFAULT '' COMMENT 'disk, address ...; empty: a machine' AFTER addresses,
  ADD COLUMN size_gb INT NOT NULL DEFAULT 0 COMMENT 'of a disk; 0: not known' AFTER part;
