-- Search reads names by an index; a provisioner that drains claims nothing new.
ALTER TABLE cluster
  ADD KEY cluster_name (tenant_id, name);
ALTER TABLE node
  ADD KEY node_hostname (cluster_id, hostname);
ALTER TABLE daemon
  ADD COLUMN drains BOOLEAN NOT NULL DEFAULT FALSE COMMENT 'a person took it out: it claims nothing new' AFTER running;
