-- What grows is kept for a time and no longer: how long machines were there is written down by itself, so that the tasks they
-- were made by can go; clusters know when they ended, jobs how much of them is left.

CREATE TABLE machine_span (
  node_id          BIGINT       NOT NULL COMMENT 'the node may be gone',
  began_at         DATETIME(6)  NOT NULL COMMENT 'when the machine had been made',
  ended_at         DATETIME(6)  NULL     COMMENT 'when it had been deleted or was given up; null: it is there',
  tenant_id        BIGINT       NOT NULL,
  cluster_id       BIGINT       NOT NULL COMMENT 'the cluster may be gone',
  owner            VARCHAR(255) NOT NULL COMMENT 'name of the owner of the cluster',
  cluster_template VARCHAR(255) NOT NULL,
  added_up         TINYINT      NOT NULL DEFAULT 0 COMMENT '1: machine_usage has it; 2: while that is written',
  PRIMARY KEY (node_id, began_at),
  KEY machine_span_time (tenant_id, added_up, ended_at, began_at),
  KEY machine_span_cluster (cluster_id, ended_at),
  KEY machine_span_age (added_up, ended_at),
  CONSTRAINT machine_span_tenant FOREIGN KEY (tenant_id) REFERENCES tenant (id)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;

-- The sums of spans that are over: what is asked of all time costs the same after years, and stays when spans are deleted.
CREATE TABLE machine_usage (
  tenant_id        BIGINT       NOT NULL,
  owner            VARCHAR(255) NOT NULL,
  cluster_template VARCHAR(255) NOT NULL,
  machines         BIGINT       NOT NULL,
  seconds          BIGINT       NOT NULL,
  minutes          BIGINT       NOT NULL COMMENT 'whole ones of each machine, as hours and days',
  hours            BIGINT       NOT NULL,
  days             BIGINT       NOT NULL,
  first_at         DATETIME(6)  NOT NULL COMMENT 'when the first of these machines had been made',
  last_at          DATETIME(6)  NOT NULL COMMENT 'when the last of them was deleted',
  PRIMARY KEY (tenant_id, owner, cluster_template),
  CONSTRAINT machine_usage_tenant FOREIGN KEY (tenant_id) REFERENCES tenant (id)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;

INSERT INTO machine_span (node_id, began_at, ended_at, tenant_id, cluster_id, owner, cluster_template)
SELECT node_id, began_at, ended_at, tenant_id, cluster_id, owner, cluster_template
FROM (SELECT task.node_id, cluster.tenant_id, cluster.id AS cluster_id, cluster.owner,
             COALESCE(JSON_UNQUOTE(JSON_EXTRACT(cluster.headers, '$.clusterTemplate.name')), '') AS cluster_template,
             MIN(CASE WHEN task.action = 'create' THEN task.finished_at END) AS began_at,
             COALESCE(MIN(CASE WHEN task.action = 'delete' THEN task.finished_at END),
                      MIN(CASE WHEN cluster.status = 'terminated' THEN latest.finished_at END)) AS ended_at
      FROM task
      JOIN job ON job.id = task.job_id
      JOIN cluster ON cluster.id = job.cluster_id
      LEFT JOIN job AS latest ON latest.id = cluster.latest_job_id
      WHERE task.state = 'done' AND task.action IN ('create', 'delete')
      GROUP BY task.node_id, cluster.tenant_id, cluster.id, cluster.owner, cluster_template) AS told
WHERE began_at IS NOT NULL;

ALTER TABLE cluster
  ADD COLUMN ended_at DATETIME(6) NULL COMMENT 'when it was terminated; null: it was not' AFTER expires_at,
  ADD COLUMN unsatisfiable BOOLEAN NOT NULL DEFAULT FALSE COMMENT 'no layout kept all rules: nothing was ever made' AFTER ended_at;

UPDATE cluster
JOIN job ON job.id = cluster.latest_job_id
SET cluster.ended_at = COALESCE(job.finished_at, cluster.created_at),
    cluster.unsatisfiable = (job.operation = 'solve_layout' AND job.status = 'failed')
WHERE cluster.status = 'terminated';

ALTER TABLE cluster
  ADD KEY cluster_use (tenant_id, status, node_count),
  DROP KEY cluster_list,
  ADD KEY cluster_age (unsatisfiable, ended_at),
  ADD KEY cluster_unsatisfiable (owner_id, unsatisfiable, ended_at),
  DROP KEY cluster_owner;

ALTER TABLE job
  ADD COLUMN kept VARCHAR(16) NOT NULL DEFAULT 'everything' COMMENT 'what is left of it after its time' AFTER aborted,
  ADD COLUMN node_changes BIGINT NOT NULL DEFAULT 0 COMMENT 'counts the changes of nodes of its cluster, on from the job before' AFTER kept,
  ADD KEY job_age (kept, finished_at),
  ADD CONSTRAINT job_kept CHECK (kept IN ('everything', 'tasks', 'itself'));

ALTER TABLE node
  ADD COLUMN changed_in BIGINT NOT NULL DEFAULT 0 COMMENT 'job.node_changes at its last change' AFTER leaves_job_id,
  ADD KEY node_changes (cluster_id, changed_in);

ALTER TABLE callback
  ADD KEY callback_age (finished_at);
