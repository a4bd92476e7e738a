-- Where services are stopped: the end of each job writes it. So it is known after the tasks of the stop are gone.
CREATE TABLE stopped_service (
  node_id BIGINT       NOT NULL,
  service VARCHAR(255) NOT NULL,
  PRIMARY KEY (node_id, service),
  CONSTRAINT stopped_service_node FOREIGN KEY (node_id) REFERENCES node (id) ON DELETE CASCADE
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;

INSERT INTO stopped_service (node_id, service)
  SELECT task.node_id, task.service
  FROM (SELECT MAX(task.id) AS id
        FROM node
        JOIN task ON task.node_id = node.id
        LEFT JOIN job AS leaving ON leaving.id = node.leaves_job_id
        WHERE task.action IN ('start', 'stop') AND task.state = 'done' AND
              COALESCE(leaving.status, '') <> 'complete' AND
              JSON_CONTAINS(node.services, JSON_QUOTE(task.service))
        GROUP BY task.node_id, task.service) AS last
  JOIN task ON task.id = last.id
  WHERE task.action = 'stop';

-- Lists say which active clusters have stopped services; superadmins list the clusters of all tenants by status.
ALTER TABLE cluster
  ADD COLUMN services_stopped INT NOT NULL DEFAULT 0 COMMENT 'how many of its services are stopped on a machine; as of the last end of a job' AFTER deletions_since,
  ADD KEY cluster_everywhere (status, id),
  ADD KEY cluster_stopped (status, services_stopped, id);

UPDATE cluster
  JOIN (SELECT node.cluster_id, COUNT(DISTINCT stopped_service.service) AS services
        FROM stopped_service
        JOIN node ON node.id = stopped_service.node_id
        GROUP BY node.cluster_id) AS counted ON counted.cluster_id = cluster.id
SET cluster.services_stopped = counted.services;
