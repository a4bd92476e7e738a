-- Catalogue pages count the clusters of each template and provider, and lists are filtered by them.
ALTER TABLE cluster
  ADD COLUMN template_name VARCHAR(255)
    AS (JSON_UNQUOTE(JSON_EXTRACT(headers, '$.clusterTemplate.name'))) STORED COMMENT 'of the headers' AFTER headers,
  ADD COLUMN provider_name VARCHAR(255)
    AS (JSON_UNQUOTE(JSON_EXTRACT(headers, '$.provider.name'))) STORED COMMENT 'of the headers' AFTER template_name,
  ADD KEY cluster_of_template (tenant_id, template_name, status, node_count),
  ADD KEY cluster_of_provider (tenant_id, provider_name, status, node_count);
