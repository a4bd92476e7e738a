-- The bytes of plugin resources stand by themselves: in pieces here, or in another place.

CREATE TABLE content (
  id         BIGINT      NOT NULL AUTO_INCREMENT PRIMARY KEY,
  name       CHAR(32)    NOT NULL COMMENT 'under which its place keeps it',
  place      VARCHAR(16) NOT NULL,
  state      VARCHAR(16) NOT NULL,
  sha256     CHAR(64)    NOT NULL COMMENT 'of its bytes; empty while they arrive',
  size       BIGINT      NOT NULL,
  is_gzip    BOOLEAN     NOT NULL COMMENT 'begins with 1f 8b',
  created_at DATETIME(6) NOT NULL,
  touched_at DATETIME(6) NOT NULL COMMENT 'when its bytes were last seen arriving, by the clock of the database',
  UNIQUE KEY content_name (name),
  KEY content_bytes (sha256, size),
  KEY content_state (state, touched_at),
  CONSTRAINT content_place CHECK (place IN ('database', 'files', 's3')),
  CONSTRAINT content_states CHECK (state IN ('arriving', 'kept', 'going'))
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;

CREATE TABLE content_piece (
  content_id BIGINT     NOT NULL,
  position   INT        NOT NULL COMMENT 'counts from 0',
  bytes      MEDIUMBLOB NOT NULL,
  PRIMARY KEY (content_id, position),
  CONSTRAINT content_piece_content FOREIGN KEY (content_id) REFERENCES content (id)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;

INSERT INTO content (name, place, state, sha256, size, is_gzip, created_at, touched_at)
SELECT LEFT(sha256, 32), 'database', 'kept', sha256, size, is_gzip, MIN(created_at), MIN(created_at)
FROM (SELECT SHA2(content, 256) AS sha256, LENGTH(content) AS size, LEFT(content, 2) = X'1F8B' AS is_gzip, created_at
      FROM plugin_resource
      WHERE NOT deleted) AS stored
GROUP BY sha256, size, is_gzip;

ALTER TABLE plugin_resource
  ADD COLUMN content_id BIGINT NULL COMMENT 'null: deleted'
  AFTER deleted;

UPDATE plugin_resource JOIN content ON content.sha256 = SHA2(plugin_resource.content, 256)
SET plugin_resource.content_id = content.id
WHERE NOT plugin_resource.deleted;

INSERT INTO content_piece (content_id, position, bytes)
SELECT stored.content_id, piece.number, SUBSTRING(stored.content, piece.number * 1048576 + 1, 1048576)
FROM (SELECT MIN(id) AS id FROM plugin_resource WHERE content_id IS NOT NULL GROUP BY content_id) AS one
JOIN plugin_resource AS stored ON stored.id = one.id
JOIN (SELECT ones.digit + 10 * tens.digit + 100 * hundreds.digit AS number
      FROM (SELECT 0 AS digit UNION SELECT 1 UNION SELECT 2 UNION SELECT 3 UNION SELECT 4
            UNION SELECT 5 UNION SELECT 6 UNION SELECT 7 UNION SELECT 8 UNION SELECT 9) AS ones
      JOIN (SELECT 0 AS digit UNION SELECT 1 UNION SELECT 2 UNION SELECT 3 UNION SELECT 4
            UNION SELECT 5 UNION SELECT 6 UNION SELECT 7 UNION SELECT 8 UNION SELECT 9) AS tens
      JOIN (SELECT 0 AS digit UNION SELECT 1 UNION SELECT 2 UNION SELECT 3 UNION SELECT 4
            UNION SELECT 5 UNION SELECT 6 UNION SELECT 7 UNION SELECT 8 UNION SELECT 9) AS hundreds) AS piece
  ON piece.number = 0 OR piece.number * 1048576 < LENGTH(stored.content);

ALTER TABLE plugin_resource
  DROP COLUMN content,
  ADD CONSTRAINT plugin_resource_content FOREIGN KEY (content_id) REFERENCES content (id),
  ADD CONSTRAINT plugin_resource_bytes CHECK (deleted OR content_id IS NOT NULL);
