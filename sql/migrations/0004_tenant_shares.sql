-- Tenants share the queue: its head is asked by tenant, and a tenant may have a limit of tasks at work.

ALTER TABLE ready_task
  ADD COLUMN tenant_id BIGINT NULL COMMENT 'of the cluster; claiming goes round tenants'
  AFTER task_id;

UPDATE ready_task
JOIN task ON task.id = ready_task.task_id
JOIN job ON job.id = task.job_id
JOIN cluster ON cluster.id = job.cluster_id
SET ready_task.tenant_id = cluster.tenant_id;

ALTER TABLE ready_task
  MODIFY COLUMN tenant_id BIGINT NOT NULL COMMENT 'of the cluster; claiming goes round tenants',
  DROP KEY ready_task_run_at,
  ADD KEY ready_task_due (tenant_id, run_at, task_id);

ALTER TABLE task
  ADD COLUMN held_for BIGINT NULL COMMENT 'the tenant whose limit it counts for while it is claimed; null without a limit'
  AFTER claimed_until;

ALTER TABLE task
  ADD KEY task_held (held_for),
  ADD CONSTRAINT task_held_while_claimed CHECK (held_for IS NULL OR claimed_until IS NOT NULL);

-- Who claims for a tenant with a limit takes its row here first: two that count at the same time would both find room.
CREATE TABLE tenant_turn (
  tenant_id BIGINT NOT NULL PRIMARY KEY,
  claims    BIGINT NOT NULL
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;
