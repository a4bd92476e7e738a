-- A cluster belongs to a user, not to a name: who is made anew with an old name inherits nothing. A job knows who asked for it,
-- and a cluster since when the deletion at the end of its lease fails.

ALTER TABLE cluster
  ADD COLUMN owner_id BIGINT NULL COMMENT 'the user it belongs to; null: that user was deleted' AFTER tenant_id,
  ADD COLUMN deletions_since BIGINT NULL COMMENT 'first job of the deletions that failed one after the other; null: none'
    AFTER latest_job_id;

ALTER TABLE cluster
  MODIFY owner VARCHAR(255) NOT NULL COMMENT 'name of its owner';

-- Whoever was made after the cluster has only the name of its owner.
UPDATE cluster
JOIN user ON user.tenant_id = cluster.tenant_id AND user.name = cluster.owner
SET cluster.owner_id = user.id
WHERE user.created_at <= cluster.created_at;

ALTER TABLE cluster
  ADD KEY cluster_owner (owner_id),
  ADD CONSTRAINT cluster_owner FOREIGN KEY (owner_id) REFERENCES user (id) ON DELETE SET NULL;

ALTER TABLE job
  ADD COLUMN asked_by_id BIGINT NULL COMMENT 'the user who asked for it, who may be gone; null: nobody did, or it is not known'
    AFTER aborted,
  ADD COLUMN asked_by VARCHAR(255) NOT NULL DEFAULT ''
    COMMENT 'the name of that user; without one, what asked: lease; empty: not known' AFTER asked_by_id;
