-- What was done to the entries of the catalogue, by whom and why. What is there already is taken over without a name.
CREATE TABLE catalogue_version (
  id         BIGINT        NOT NULL AUTO_INCREMENT PRIMARY KEY,
  tenant_id  BIGINT        NOT NULL,
  kind       VARCHAR(16)   NOT NULL,
  name       VARCHAR(255)  NOT NULL,
  version    INT           NOT NULL COMMENT 'of the entry then; numbers begin anew after a deletion and an import',
  act        VARCHAR(16)   NOT NULL,
  document   LONGTEXT      NULL     COMMENT 'the entity as it was stored, secrets sealed; null: it was deleted',
  written_by VARCHAR(255)  NOT NULL COMMENT 'name of the user; empty: the installation',
  written_at DATETIME(6)   NOT NULL,
  note       VARCHAR(1000) NOT NULL COMMENT 'why, in the words of who did it; may be empty',
  KEY catalogue_version_entry (tenant_id, kind, name, id),
  KEY catalogue_version_latest (tenant_id, kind, id),
  CONSTRAINT catalogue_version_tenant FOREIGN KEY (tenant_id) REFERENCES tenant (id),
  CONSTRAINT catalogue_version_kind CHECK (kind IN ('provider', 'hardware_type', 'image_type', 'service',
                                                    'cluster_template', 'partial_template')),
  CONSTRAINT catalogue_version_act CHECK (act IN ('create', 'change', 'delete', 'import', 'restore')),
  CONSTRAINT catalogue_version_document CHECK (document IS NULL OR JSON_VALID(document))
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;

INSERT INTO catalogue_version (tenant_id, kind, name, version, act, document, written_by, written_at, note)
SELECT tenant_id, kind, name, version, IF(version = 1, 'create', 'change'), document, '', created_at, ''
FROM catalogue_entry
ORDER BY tenant_id, kind, name, version;
