-- Clusters that grow, shrink, lose services and have nodes replaced.

ALTER TABLE job
  DROP CONSTRAINT job_operation;

ALTER TABLE job
  ADD CONSTRAINT job_operation CHECK (operation IN ('solve_layout', 'cluster_create', 'cluster_delete', 'cluster_configure',
                                                    'cluster_configure_with_restart', 'stop_services', 'start_services',
                                                    'restart_services', 'add_services', 'cluster_grow', 'cluster_shrink',
                                                    'remove_services', 'replace_node'));

ALTER TABLE cluster
  ADD COLUMN dns_suffix VARCHAR(255) NOT NULL DEFAULT '' COMMENT 'of the names of its nodes'
  AFTER node_count;

-- Clusters that exist: what the name of a node of theirs ends in.
UPDATE cluster
SET dns_suffix = COALESCE((SELECT SUBSTRING(hostname, LOCATE('.', hostname) + 1)
                           FROM node
                           WHERE node.cluster_id = cluster.id AND LOCATE('.', hostname) > 0
                           ORDER BY nodenum
                           LIMIT 1), '');

ALTER TABLE node
  ADD COLUMN leaves_job_id BIGINT NULL COMMENT 'the job that takes it away; when that is complete it is gone'
  AFTER results;

ALTER TABLE node
  ADD CONSTRAINT node_leaves_with FOREIGN KEY (leaves_job_id) REFERENCES job (id);
