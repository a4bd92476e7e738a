-- Search reads the names of all machines: the index alone answers it, without the rows of 1 KiB and more.
ALTER TABLE node
  DROP KEY node_hostname,
  ADD KEY node_hostname (cluster_id, hostname, nodenum, leaves_job_id);
