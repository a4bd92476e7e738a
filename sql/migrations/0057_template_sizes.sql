-- Lists of templates say which sizes are not possible without working them out.
CREATE TABLE template_sizes (
  tenant_id     BIGINT      NOT NULL,
  digest        CHAR(64)    NOT NULL COMMENT 'SHA-256 in hexadecimal of all that the answer depends on: with any change it is another one',
  answer        LONGTEXT    NOT NULL COMMENT 'the sizes that are not possible, and those without machines for some services',
  worked_out_at DATETIME(6) NOT NULL,
  PRIMARY KEY (tenant_id, digest),
  CONSTRAINT template_sizes_tenant FOREIGN KEY (tenant_id) REFERENCES tenant (id),
  CONSTRAINT template_sizes_answer CHECK (JSON_VALID(answer))
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;
