-- Machines that no job has finished say so themselves, whatever jobs have failed since. Those of before: what has ever started a service, or has nothing left to
-- do in the latest job of its cluster, is set up.
ALTER TABLE node
  ADD COLUMN was_set_up BOOLEAN NOT NULL DEFAULT FALSE COMMENT 'a job has done all that it had to do there' AFTER has_left;

UPDATE node
JOIN cluster ON cluster.id = node.cluster_id
SET node.was_set_up = TRUE
WHERE cluster.status = 'active' OR
      EXISTS (SELECT 1 FROM task WHERE task.node_id = node.id AND task.action = 'start' AND task.state = 'done') OR
      NOT EXISTS (SELECT 1 FROM task
                  WHERE task.node_id = node.id AND task.job_id = cluster.latest_job_id AND task.state <> 'done');
-- Shrinks that remove nothing have a name of their own.
ALTER TABLE job
  ADD COLUMN only_keeps BOOLEAN NOT NULL DEFAULT FALSE COMMENT 'it removes no machine and keeps those that an earlier job was taking away' AFTER leaves_as_is;
