-- Lists of clusters come in pages, newest first.

ALTER TABLE cluster
  ADD KEY cluster_newest (tenant_id, id);
