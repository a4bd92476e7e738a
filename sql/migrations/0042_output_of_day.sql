-- How much output of each tenant was stored on each day, so that no tenant fills the disk of all. Without a foreign key: it would
-- lock the tenant, which layouts hold for long.
CREATE TABLE output_of_day (
  day       DATE   NOT NULL COMMENT 'in UTC',
  tenant_id BIGINT NOT NULL,
  bytes     BIGINT NOT NULL COMMENT 'as stored, which is compressed, with what rows take besides',
  PRIMARY KEY (day, tenant_id)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;
