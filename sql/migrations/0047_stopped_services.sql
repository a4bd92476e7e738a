-- Lists say which active clusters have stopped services. The end of each job writes it.
ALTER TABLE cluster
  ADD COLUMN services_stopped INT NOT NULL DEFAULT 0 COMMENT 'how many of its services are stopped on a machine; as of the last end of a job' AFTER deletions_since;

-- Superadmins list the clusters of all tenants by status.
ALTER TABLE cluster
  ADD KEY cluster_everywhere (status, id);

UPDATE cluster
  JOIN (SELECT stopped.cluster_id, COUNT(DISTINCT stopped.service) AS services
        FROM (SELECT node.cluster_id, task.service, MAX(task.id) AS id
              FROM node
              JOIN task ON task.node_id = node.id
              LEFT JOIN job AS leaving ON leaving.id = node.leaves_job_id
              WHERE task.action IN ('start', 'stop') AND task.state = 'done' AND
                    COALESCE(leaving.status, '') <> 'complete' AND
                    JSON_CONTAINS(node.services, JSON_QUOTE(task.service))
              GROUP BY node.cluster_id, task.node_id, task.service) AS stopped
        JOIN task ON task.id = stopped.id
        WHERE task.action = 'stop'
        GROUP BY stopped.cluster_id) AS counted ON counted.cluster_id = cluster.id
SET cluster.services_stopped = counted.services;
