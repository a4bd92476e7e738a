-- What the seed has made once: it does not make it again after somebody has deleted it.
CREATE TABLE seeded_item (
  kind    VARCHAR(16)  NOT NULL,
  tenant  VARCHAR(255) NOT NULL COMMENT 'name of the tenant',
  name    VARCHAR(255) NOT NULL COMMENT 'of the tenant, of the user, or of the user whose key it is',
  item_id BIGINT       NOT NULL COMMENT 'its row, which may be gone; 0: it was gone before this was recorded',
  PRIMARY KEY (kind, tenant, name),
  CONSTRAINT seeded_item_kind CHECK (kind IN ('tenant', 'user', 'key'))
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;

-- A database that was seeded before: what is not there was deleted.
INSERT INTO seeded_item (kind, tenant, name, item_id)
SELECT 'tenant', tenant.name, tenant.name, MAX(tenant.id)
FROM tenant
WHERE tenant.name IN ('superadmin', 'demo')
GROUP BY tenant.name;

INSERT INTO seeded_item (kind, tenant, name, item_id)
SELECT 'user', tenant.name, 'admin', COALESCE(MAX(user.id), 0)
FROM tenant LEFT JOIN user ON user.tenant_id = tenant.id AND user.name = 'admin'
WHERE tenant.name IN ('superadmin', 'demo') AND tenant.deleted_id = 0
GROUP BY tenant.name;

INSERT INTO seeded_item (kind, tenant, name, item_id)
SELECT 'user', tenant.name, 'demo', COALESCE(MAX(user.id), 0)
FROM tenant LEFT JOIN user ON user.tenant_id = tenant.id AND user.name = 'demo'
WHERE tenant.name = 'demo' AND tenant.deleted_id = 0
GROUP BY tenant.name;

INSERT INTO seeded_item (kind, tenant, name, item_id)
SELECT 'key', tenant.name, user.name, COALESCE(MIN(api_key.id), 0)
FROM tenant
JOIN user ON user.tenant_id = tenant.id
LEFT JOIN api_key ON api_key.user_id = user.id AND api_key.name = 'first-key'
WHERE tenant.deleted_id = 0
  AND (tenant.name = 'superadmin' AND user.name = 'admin' OR tenant.name = 'demo' AND user.name IN ('admin', 'demo'))
GROUP BY tenant.name, user.name;
