-- The newest clusters of some states without a walk over all that have ended.
ALTER TABLE cluster
  DROP KEY cluster_use,
  ADD KEY cluster_use (tenant_id, status, id, node_count);
