-- How long the outage lasts in which an attempt is: patience is about that, and not about how old the attempt is.

ALTER TABLE attempt
  ADD COLUMN outage_since DATETIME(6) NULL COMMENT 'since when its node or provider has not been reached; null: it answers' AFTER stderr,
  ADD COLUMN outage_turns INT NOT NULL DEFAULT 0 COMMENT 'turns since then that did not reach it' AFTER outage_since;

-- Which plugins a task needs, so that a daemon takes only what it can do.

ALTER TABLE cluster
  ADD COLUMN provider_type VARCHAR(255)
    AS (JSON_UNQUOTE(JSON_EXTRACT(snapshot, '$.provider.providertype'))) STORED COMMENT 'of the snapshot' AFTER snapshot;

ALTER TABLE ready_task
  ADD COLUMN needs TEXT NULL COMMENT 'JSON: the automators, or "provider " and its type';

UPDATE ready_task
  JOIN task ON task.id = ready_task.task_id
  JOIN node ON node.id = task.node_id
  JOIN cluster ON cluster.id = node.cluster_id
  SET ready_task.needs = IF(task.action IN ('create', 'confirm', 'delete'),
                            JSON_ARRAY(CONCAT('provider ', cluster.provider_type)), node.automators);

ALTER TABLE ready_task
  MODIFY needs TEXT NOT NULL COMMENT 'JSON: the automators, or "provider " and its type';
