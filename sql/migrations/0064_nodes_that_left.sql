-- Nodes that are gone say so themselves, also where the job that took them away has failed later.
ALTER TABLE node
  MODIFY COLUMN leaves_job_id BIGINT NULL COMMENT 'the job that takes it away',
  ADD COLUMN has_left BOOLEAN NOT NULL DEFAULT FALSE COMMENT 'gone with the end of that job: it was complete, or had deleted the machine' AFTER leaves_job_id,
  DROP KEY node_hostname,
  ADD KEY node_hostname (cluster_id, hostname, nodenum, has_left);

UPDATE node
JOIN job ON job.id = node.leaves_job_id
SET node.has_left = TRUE
WHERE job.status = 'complete';
