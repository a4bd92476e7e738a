-- Superadmins search the names of all tenants' entries: the index alone answers it, without the documents.
ALTER TABLE catalogue_entry
  ADD KEY catalogue_entry_name (name, kind, tenant_id);
