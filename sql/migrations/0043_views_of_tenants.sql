-- A superadmin views a tenant.
ALTER TABLE session
  ADD COLUMN views_tenant_id BIGINT NULL COMMENT 'the tenant that a superadmin views in it, reading only; null: none' AFTER proven_at;
