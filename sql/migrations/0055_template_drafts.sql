-- The draft of a change to a cluster template is a state of that template, not an entry of the catalogue.
CREATE TABLE template_draft (
  number       BIGINT        NOT NULL AUTO_INCREMENT PRIMARY KEY COMMENT 'another one with each save',
  tenant_id    BIGINT        NOT NULL,
  name         VARCHAR(255)  NOT NULL COMMENT 'of the cluster template that it changes',
  base_version INT           NOT NULL COMMENT 'version of the template that the draft was begun from',
  base         LONGTEXT      NOT NULL COMMENT 'that version in wire form',
  document     LONGTEXT      NOT NULL COMMENT 'what the template would be, in wire form',
  begun_by     VARCHAR(255)  NOT NULL COMMENT 'name of the user',
  begun_at     DATETIME(6)   NOT NULL,
  written_by   VARCHAR(255)  NOT NULL COMMENT 'name of the user who saved it last',
  written_at   DATETIME(6)   NOT NULL,
  note         VARCHAR(1000) NOT NULL COMMENT 'why, in the words of who saved it; may be empty',
  UNIQUE KEY template_draft_name (tenant_id, name),
  CONSTRAINT template_draft_tenant FOREIGN KEY (tenant_id) REFERENCES tenant (id),
  CONSTRAINT template_draft_base CHECK (JSON_VALID(base)),
  CONSTRAINT template_draft_document CHECK (JSON_VALID(document))
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;
