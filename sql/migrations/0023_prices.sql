-- What machines cost: price lists, the kind of machine that a span was of, and the budget of a tenant.
CREATE TABLE price (
  id            BIGINT       NOT NULL AUTO_INCREMENT PRIMARY KEY,
  tenant_id     BIGINT       NOT NULL COMMENT '0: for all tenants',
  provider_type VARCHAR(255) NOT NULL,
  provider      VARCHAR(255) NOT NULL COMMENT 'empty: any; likewise region and image',
  region        VARCHAR(255) NOT NULL,
  flavor        VARCHAR(255) NOT NULL COMMENT '*: any',
  image         VARCHAR(255) NOT NULL,
  currency      CHAR(3)      NOT NULL,
  per_hour      BIGINT       NOT NULL COMMENT 'millionths of a unit of the currency',
  valid_from    DATETIME(6)  NOT NULL,
  valid_until   DATETIME(6)  NULL     COMMENT 'null: still valid',
  KEY price_of (tenant_id, provider_type, flavor),
  KEY price_age (valid_until),
  CONSTRAINT price_amount CHECK (per_hour >= 0)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;

-- What machines have cost whose spans are in machine_usage.
CREATE TABLE machine_cost (
  tenant_id        BIGINT       NOT NULL,
  owner            VARCHAR(255) NOT NULL,
  cluster_template VARCHAR(255) NOT NULL,
  currency         VARCHAR(3)   NOT NULL COMMENT 'empty: the row of machines without a price',
  micros           BIGINT       NOT NULL COMMENT 'millionths of a unit of the currency',
  unpriced_seconds BIGINT       NOT NULL COMMENT 'of machines without a price',
  PRIMARY KEY (tenant_id, owner, cluster_template, currency),
  CONSTRAINT machine_cost_tenant FOREIGN KEY (tenant_id) REFERENCES tenant (id)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;

INSERT INTO machine_cost (tenant_id, owner, cluster_template, currency, micros, unpriced_seconds)
SELECT tenant_id, owner, cluster_template, '', 0, seconds
FROM machine_usage;

ALTER TABLE machine_span
  ADD COLUMN provider_type VARCHAR(255) NOT NULL DEFAULT '' COMMENT 'what its price depends on, down to image' AFTER cluster_template,
  ADD COLUMN provider VARCHAR(255) NOT NULL DEFAULT '' AFTER provider_type,
  ADD COLUMN region VARCHAR(255) NOT NULL DEFAULT '' AFTER provider,
  ADD COLUMN flavor VARCHAR(255) NOT NULL DEFAULT '' AFTER region,
  ADD COLUMN image VARCHAR(255) NOT NULL DEFAULT '' AFTER flavor;

UPDATE machine_span
JOIN node ON node.id = machine_span.node_id
JOIN cluster ON cluster.id = machine_span.cluster_id
SET machine_span.provider_type = COALESCE(cluster.provider_type, ''),
    machine_span.provider = COALESCE(JSON_UNQUOTE(JSON_EXTRACT(cluster.headers, '$.provider.name')), ''),
    machine_span.flavor = node.flavor,
    machine_span.image = node.image
WHERE machine_span.added_up = 0;

ALTER TABLE cluster
  ADD COLUMN region VARCHAR(255) NOT NULL DEFAULT '' COMMENT 'where its provider makes machines; empty: without regions' AFTER dns_suffix;

ALTER TABLE tenant
  ADD COLUMN budget_currency VARCHAR(3) NOT NULL DEFAULT '' COMMENT 'empty: no budget' AFTER max_nodes,
  ADD COLUMN budget_per_hour BIGINT NULL COMMENT 'millionths of a unit; null: no limit' AFTER budget_currency,
  ADD COLUMN budget_per_month BIGINT NULL COMMENT 'of a calendar month in UTC' AFTER budget_per_hour;
