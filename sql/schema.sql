-- The whole schema as of now: what the migrations of sql/migrations add up to (a test compares the two).
-- InnoDB and utf8mb4 with binary collation throughout: names are case sensitive and sort by code point.
-- Times are DATETIME(6) in UTC; every connection sets time_zone = '+00:00'. JSON is kept as text with a check, so that
-- the order of keys and the text of numbers stay as they were written. Runs on MariaDB 10.11 and on MySQL 9.7.

CREATE TABLE tenant (
  id           BIGINT       NOT NULL AUTO_INCREMENT PRIMARY KEY,
  uid          VARCHAR(64)  NOT NULL COMMENT 'the id the API shows',
  name         VARCHAR(255) NOT NULL,
  description  TEXT         NOT NULL,
  workers      INT          NOT NULL,
  max_clusters INT          NOT NULL,
  max_nodes    INT          NOT NULL,
  budget_currency  VARCHAR(3) NOT NULL DEFAULT '' COMMENT 'empty: no budget',
  budget_per_hour  BIGINT   NULL     COMMENT 'millionths of a unit; null: no limit',
  budget_per_month BIGINT   NULL     COMMENT 'of a calendar month in UTC',
  provider_types LONGTEXT   NULL     COMMENT 'array of the types of providers its clusters may use; null: all',
  deleted_id   BIGINT       NOT NULL DEFAULT 0 COMMENT 'its own id once it is deleted: the name is free again',
  created_at   DATETIME(6)  NOT NULL,
  second_factor VARCHAR(16) NOT NULL DEFAULT 'nobody'
                COMMENT 'who has to have one: nobody (the setting auth.second_factor decides), admins, everybody',
  UNIQUE KEY tenant_uid (uid),
  UNIQUE KEY tenant_name (name, deleted_id),
  CONSTRAINT tenant_second_factor CHECK (second_factor IN ('nobody', 'admins', 'everybody')),
  CONSTRAINT tenant_provider_types CHECK (JSON_VALID(provider_types))
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;

CREATE TABLE user (
  id            BIGINT       NOT NULL AUTO_INCREMENT PRIMARY KEY,
  tenant_id     BIGINT       NOT NULL,
  name          VARCHAR(255) NOT NULL,
  role          VARCHAR(16)  NOT NULL,
  password_hash VARCHAR(255) NOT NULL COMMENT 'Argon2id; empty: no login by password',
  initial_until DATETIME(6)  NULL COMMENT 'the password was given by somebody else, has to be changed, and is refused from then on',
  disabled      BOOLEAN      NOT NULL DEFAULT FALSE COMMENT 'neither password nor API keys let in',
  created_at    DATETIME(6)  NOT NULL,
  UNIQUE KEY user_name (tenant_id, name),
  CONSTRAINT user_tenant FOREIGN KEY (tenant_id) REFERENCES tenant (id),
  CONSTRAINT user_role CHECK (role IN ('superadmin', 'admin', 'operator', 'user', 'auditor'))
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;

CREATE TABLE api_key (
  id         BIGINT       NOT NULL AUTO_INCREMENT PRIMARY KEY,
  user_id    BIGINT       NOT NULL,
  name       VARCHAR(255) NOT NULL,
  key_hash   CHAR(64)     NOT NULL COMMENT 'BLAKE2b-256 of the key, hexadecimal',
  scope      VARCHAR(16)  NOT NULL DEFAULT 'all' COMMENT 'what it may be used for: all, or only to read',
  rights     LONGTEXT     NOT NULL COMMENT 'scope some: array of kind:read or kind:write',
  clusters   LONGTEXT     NOT NULL COMMENT 'array of ids: only calls about these; empty: no such limit',
  created_at DATETIME(6)  NOT NULL,
  expires_at DATETIME(6)  NULL,
  last_used_at DATETIME(6) NULL COMMENT 'coarse: written every few minutes',
  UNIQUE KEY api_key_hash (key_hash),
  CONSTRAINT api_key_user FOREIGN KEY (user_id) REFERENCES user (id) ON DELETE CASCADE,
  CONSTRAINT api_key_scope CHECK (scope IN ('all', 'read', 'some')),
  CONSTRAINT api_key_rights CHECK (JSON_VALID(rights)),
  CONSTRAINT api_key_clusters CHECK (JSON_VALID(clusters))
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;

CREATE TABLE session (
  id           BIGINT       NOT NULL AUTO_INCREMENT PRIMARY KEY,
  token_hash   CHAR(64)     NOT NULL COMMENT 'BLAKE2b-256 of the cookie, hexadecimal',
  user_id      BIGINT       NOT NULL,
  stage        VARCHAR(16)  NOT NULL COMMENT 'code: the second factor is missing; password, factor: may only set that; open',
  address      VARCHAR(64)  NOT NULL COMMENT 'of the client that signed in',
  agent        VARCHAR(255) NOT NULL COMMENT 'what its browser calls itself',
  created_at   DATETIME(6)  NOT NULL,
  last_used_at DATETIME(6)  NOT NULL COMMENT 'coarse: written every few minutes',
  proven_at    DATETIME(6)  NOT NULL COMMENT 'when a password or code was last given',
  expires_at   DATETIME(6)  NOT NULL,
  UNIQUE KEY session_token (token_hash),
  KEY session_expires (expires_at),
  KEY session_of_user (user_id),
  CONSTRAINT session_user FOREIGN KEY (user_id) REFERENCES user (id) ON DELETE CASCADE,
  CONSTRAINT session_stage CHECK (stage IN ('code', 'password', 'factor', 'open'))
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;

CREATE TABLE session_view (
  session_id BIGINT        NOT NULL,
  tenant_id  BIGINT        NOT NULL COMMENT 'the tenant that a superadmin views in the session, reading only',
  came_from  VARCHAR(1000) NOT NULL COMMENT 'address below the prefix of the page that led there; may be empty',
  user_id    BIGINT        NOT NULL COMMENT 'of the superadmin',
  user_name  VARCHAR(255)  NOT NULL COMMENT 'of the superadmin, who may have been deleted',
  began_at   DATETIME(6)   NOT NULL,
  seen_at    DATETIME(6)   NOT NULL COMMENT 'when a page of the tenant was last looked at; written once a second at most',
  PRIMARY KEY (session_id, tenant_id)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;

CREATE TABLE second_factor (
  user_id    BIGINT       NOT NULL PRIMARY KEY,
  secret     VARCHAR(512) NOT NULL COMMENT 'of the app that shows codes, sealed',
  confirmed  BOOLEAN      NOT NULL COMMENT 'a first code was right; before that nothing is asked for',
  last_step  BIGINT       NOT NULL COMMENT 'of 30 s since 1970: codes up to this one were used',
  created_at DATETIME(6)  NOT NULL,
  CONSTRAINT second_factor_user FOREIGN KEY (user_id) REFERENCES user (id) ON DELETE CASCADE
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;

CREATE TABLE recovery_code (
  user_id   BIGINT   NOT NULL,
  code_hash CHAR(64) NOT NULL COMMENT 'BLAKE2b-256, hexadecimal; deleted when it is used',
  PRIMARY KEY (user_id, code_hash),
  CONSTRAINT recovery_code_user FOREIGN KEY (user_id) REFERENCES user (id) ON DELETE CASCADE
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;

CREATE TABLE security_key (
  id           BIGINT       NOT NULL AUTO_INCREMENT PRIMARY KEY,
  user_id      BIGINT       NOT NULL,
  name         VARCHAR(255) NOT NULL COMMENT 'what its owner calls it',
  host         VARCHAR(255) NOT NULL COMMENT 'of the site for which it was made: it signs for no other',
  credential   VARCHAR(1400) CHARACTER SET ascii COLLATE ascii_bin NOT NULL COMMENT 'its own name for it, base64url',
  algorithm    INT          NOT NULL COMMENT 'of COSE: -7 ES256, -8 EdDSA, -257 RS256',
  public_key   TEXT         NOT NULL COMMENT 'as libfido2 has it, base64url',
  count        BIGINT       NOT NULL COMMENT 'how often it has signed; 0: it does not count',
  is_backed_up BOOLEAN      NOT NULL COMMENT 'its maker keeps it on several devices',
  created_at   DATETIME(6)  NOT NULL,
  last_used_at DATETIME(6)  NULL,
  UNIQUE KEY security_key_credential (credential),
  KEY security_key_of_user (user_id),
  CONSTRAINT security_key_user FOREIGN KEY (user_id) REFERENCES user (id) ON DELETE CASCADE
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;

-- Identity providers: who else says who people are.
CREATE TABLE identity_provider (
  id         BIGINT        NOT NULL AUTO_INCREMENT PRIMARY KEY,
  name       VARCHAR(64)   NOT NULL,
  document   LONGTEXT      NOT NULL COMMENT 'kind, settings and rules, without the secret',
  secret     VARCHAR(4096) NOT NULL COMMENT 'client secret or password of the service account, sealed; empty: none',
  changed_at DATETIME(6)   NOT NULL,
  UNIQUE KEY identity_provider_name (name),
  CONSTRAINT identity_provider_document CHECK (JSON_VALID(document))
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;

-- Users whom a provider made. They have no password here.
CREATE TABLE external_user (
  user_id      BIGINT       NOT NULL PRIMARY KEY,
  provider_id  BIGINT       NOT NULL,
  tenant_id    BIGINT       NOT NULL COMMENT 'of the user',
  subject      VARCHAR(255) NOT NULL COMMENT 'sub, entryUUID or objectGUID: never a name or an address',
  confirmed_at DATETIME(6)  NOT NULL COMMENT 'when the provider last said that the user belongs here',
  gone_at      DATETIME(6)  NULL COMMENT 'disabled because the provider does not say so any more',
  UNIQUE KEY external_user_subject (provider_id, subject, tenant_id),
  KEY external_user_confirmed (provider_id, confirmed_at),
  CONSTRAINT external_user_user FOREIGN KEY (user_id) REFERENCES user (id) ON DELETE CASCADE,
  CONSTRAINT external_user_provider FOREIGN KEY (provider_id) REFERENCES identity_provider (id) ON DELETE CASCADE
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;

-- Sessions that began at a provider, for logging out there and from there.
CREATE TABLE external_session (
  session_id  BIGINT       NOT NULL PRIMARY KEY,
  provider_id BIGINT       NOT NULL,
  subject     VARCHAR(255) NOT NULL,
  sid         VARCHAR(255) NOT NULL COMMENT 'what the provider calls the session; may be empty',
  id_token    LONGTEXT     NOT NULL COMMENT 'sealed; empty: none',
  KEY external_session_subject (provider_id, subject),
  KEY external_session_sid (provider_id, sid),
  CONSTRAINT external_session_session FOREIGN KEY (session_id) REFERENCES session (id) ON DELETE CASCADE,
  CONSTRAINT external_session_provider FOREIGN KEY (provider_id) REFERENCES identity_provider (id) ON DELETE CASCADE
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;

-- Sign-ins that went to a provider and have not come back. Each comes back once.
CREATE TABLE external_sign_in (
  state_hash  CHAR(64)      NOT NULL PRIMARY KEY COMMENT 'BLAKE2b-256 of the state, hexadecimal',
  provider_id BIGINT        NOT NULL,
  browser     CHAR(64)      NOT NULL COMMENT 'BLAKE2b-256 of the cookie of the browser that asked',
  next_page   VARCHAR(2048) NOT NULL,
  address     VARCHAR(64)   NOT NULL COMMENT 'of the client',
  again       BOOLEAN       NOT NULL COMMENT 'the password has to be given again',
  kept_path   VARCHAR(2048) NULL COMMENT 'what the form is sent to, with its query; null: there is no form',
  kept_body   MEDIUMTEXT    NULL COMMENT 'its fields, without secrets',
  expires_at  DATETIME(6)   NOT NULL,
  KEY external_sign_in_expires (expires_at),
  KEY external_sign_in_address (address),
  CONSTRAINT external_sign_in_provider FOREIGN KEY (provider_id) REFERENCES identity_provider (id) ON DELETE CASCADE
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;

-- Messages of providers that end sessions. Each counts once.
CREATE TABLE external_message (
  message_hash CHAR(64)    NOT NULL PRIMARY KEY COMMENT 'BLAKE2b-256 of issuer and jti',
  expires_at   DATETIME(6) NOT NULL,
  KEY external_message_expires (expires_at)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;

CREATE TABLE sign_in_failure (
  subject  CHAR(64)    NOT NULL PRIMARY KEY COMMENT 'BLAKE2b-256 of what is counted: names that were typed may be passwords',
  failures INT         NOT NULL COMMENT 'in a row, sign-ins under way included',
  last_at  DATETIME(6) NOT NULL,
  KEY sign_in_failure_last (last_at)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;

CREATE TABLE profile (
  user_id  BIGINT   NOT NULL PRIMARY KEY,
  document LONGTEXT NOT NULL COMMENT 'whatever the user put there',
  CONSTRAINT profile_user FOREIGN KEY (user_id) REFERENCES user (id) ON DELETE CASCADE,
  CONSTRAINT profile_document CHECK (JSON_VALID(document))
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;

CREATE TABLE catalogue_entry (
  tenant_id  BIGINT       NOT NULL,
  kind       VARCHAR(16)  NOT NULL,
  name       VARCHAR(255) NOT NULL,
  version    INT          NOT NULL COMMENT 'counts the writes of a name from 1; the newest counts',
  document   LONGTEXT     NOT NULL COMMENT 'the entity in wire form, without version',
  created_at DATETIME(6)  NOT NULL,
  PRIMARY KEY (tenant_id, kind, name, version),
  KEY catalogue_entry_name (name, kind, tenant_id),
  CONSTRAINT catalogue_entry_tenant FOREIGN KEY (tenant_id) REFERENCES tenant (id),
  CONSTRAINT catalogue_entry_kind CHECK (kind IN ('provider', 'hardware_type', 'image_type', 'service',
                                                  'cluster_template', 'partial_template')),
  CONSTRAINT catalogue_entry_document CHECK (JSON_VALID(document))
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;

-- What was done to the entries of the catalogue, by whom and why.
CREATE TABLE catalogue_version (
  id         BIGINT        NOT NULL AUTO_INCREMENT PRIMARY KEY,
  tenant_id  BIGINT        NOT NULL,
  kind       VARCHAR(16)   NOT NULL,
  name       VARCHAR(255)  NOT NULL,
  version    INT           NOT NULL COMMENT 'of the entry then; numbers begin anew after a deletion and an import',
  act        VARCHAR(16)   NOT NULL,
  restored_version INT     NOT NULL DEFAULT 0 COMMENT 'the version that the act restored; 0: it restored none, or this was not kept yet',
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

-- Drafts of changes to cluster templates: states of those templates, no entries of the catalogue.
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

-- Which sizes of cluster templates are not possible, by what that depends on.
CREATE TABLE template_sizes (
  tenant_id     BIGINT      NOT NULL,
  digest        CHAR(64)    NOT NULL COMMENT 'SHA-256 in hexadecimal of all that the answer depends on: with any change it is another one',
  answer        LONGTEXT    NOT NULL COMMENT 'the sizes that are not possible, and those without machines for some services',
  worked_out_at DATETIME(6) NOT NULL,
  PRIMARY KEY (tenant_id, digest),
  CONSTRAINT template_sizes_tenant FOREIGN KEY (tenant_id) REFERENCES tenant (id),
  CONSTRAINT template_sizes_answer CHECK (JSON_VALID(answer))
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;

-- Groups of users, for permissions. GROUP is a word of SQL.
CREATE TABLE user_group (
  id          BIGINT       NOT NULL AUTO_INCREMENT PRIMARY KEY,
  tenant_id   BIGINT       NOT NULL,
  name        VARCHAR(255) NOT NULL,
  description TEXT         NOT NULL,
  created_at  DATETIME(6)  NOT NULL,
  UNIQUE KEY user_group_name (tenant_id, name),
  CONSTRAINT user_group_tenant FOREIGN KEY (tenant_id) REFERENCES tenant (id)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;

CREATE TABLE user_group_member (
  group_id BIGINT NOT NULL,
  user_id  BIGINT NOT NULL,
  PRIMARY KEY (group_id, user_id),
  KEY user_group_member_user (user_id),
  CONSTRAINT user_group_member_group FOREIGN KEY (group_id) REFERENCES user_group (id) ON DELETE CASCADE,
  CONSTRAINT user_group_member_user FOREIGN KEY (user_id) REFERENCES user (id) ON DELETE CASCADE
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;

-- Who may use an entry of the catalogue. Without a row everybody; with a row and without grants only administrators.
CREATE TABLE entry_permission (
  id        BIGINT       NOT NULL AUTO_INCREMENT PRIMARY KEY,
  tenant_id BIGINT       NOT NULL,
  kind      VARCHAR(16)  NOT NULL,
  name      VARCHAR(255) NOT NULL COMMENT 'of the entry, in all versions; stays when the entry is deleted',
  UNIQUE KEY entry_permission_name (tenant_id, kind, name),
  CONSTRAINT entry_permission_tenant FOREIGN KEY (tenant_id) REFERENCES tenant (id),
  CONSTRAINT entry_permission_kind CHECK (kind IN ('provider', 'hardware_type', 'image_type', 'service', 'cluster_template'))
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;

-- One of role, user and group is set.
CREATE TABLE entry_grant (
  id            BIGINT      NOT NULL AUTO_INCREMENT PRIMARY KEY,
  permission_id BIGINT      NOT NULL,
  role          VARCHAR(16) NULL,
  user_id       BIGINT      NULL,
  group_id      BIGINT      NULL,
  KEY entry_grant_permission (permission_id),
  KEY entry_grant_user (user_id),
  KEY entry_grant_group (group_id),
  CONSTRAINT entry_grant_permission FOREIGN KEY (permission_id) REFERENCES entry_permission (id) ON DELETE CASCADE,
  CONSTRAINT entry_grant_user FOREIGN KEY (user_id) REFERENCES user (id) ON DELETE CASCADE,
  CONSTRAINT entry_grant_group FOREIGN KEY (group_id) REFERENCES user_group (id) ON DELETE CASCADE,
  CONSTRAINT entry_grant_role CHECK (role IN ('superadmin', 'admin', 'operator', 'user', 'auditor'))
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;

CREATE TABLE plugin_type (
  kind       VARCHAR(16)  NOT NULL,
  name       VARCHAR(255) NOT NULL,
  version    INT          NOT NULL COMMENT 'grows when a daemon offers other fields',
  document   LONGTEXT     NOT NULL,
  updated_at DATETIME(6)  NOT NULL,
  PRIMARY KEY (kind, name),
  CONSTRAINT plugin_type_kind CHECK (kind IN ('provider', 'automator')),
  CONSTRAINT plugin_type_document CHECK (JSON_VALID(document))
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;

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

CREATE TABLE plugin_resource (
  id            BIGINT       NOT NULL AUTO_INCREMENT PRIMARY KEY,
  tenant_id     BIGINT       NOT NULL,
  kind          VARCHAR(16)  NOT NULL,
  plugin        VARCHAR(128) NOT NULL,
  resource_type VARCHAR(128) NOT NULL,
  name          VARCHAR(255) NOT NULL,
  version       INT          NOT NULL,
  live          BOOLEAN      NOT NULL COMMENT 'nodes get this version',
  slated        BOOLEAN      NOT NULL COMMENT 'nodes will get it after the next sync',
  live_since    DATETIME(6)  NULL COMMENT 'when a live version was put to use; null: when it was made, as far as is known',
  deleted       BOOLEAN      NOT NULL DEFAULT FALSE COMMENT 'kept without content, so that its version is not used again',
  content_id    BIGINT       NULL COMMENT 'null: deleted',
  created_at    DATETIME(6)  NOT NULL,
  UNIQUE KEY plugin_resource_version (tenant_id, kind, plugin, resource_type, name, version),
  CONSTRAINT plugin_resource_tenant FOREIGN KEY (tenant_id) REFERENCES tenant (id),
  CONSTRAINT plugin_resource_content FOREIGN KEY (content_id) REFERENCES content (id),
  CONSTRAINT plugin_resource_kind CHECK (kind IN ('provider', 'automator')),
  CONSTRAINT plugin_resource_bytes CHECK (deleted OR content_id IS NOT NULL)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;

CREATE TABLE cluster (
  id            BIGINT       NOT NULL AUTO_INCREMENT PRIMARY KEY,
  tenant_id     BIGINT       NOT NULL,
  owner_id      BIGINT       NULL     COMMENT 'the user it belongs to; null: that user was deleted',
  owner         VARCHAR(255) NOT NULL COMMENT 'name of its owner',
  name          VARCHAR(255) NOT NULL,
  description   TEXT         NOT NULL,
  status        VARCHAR(16)  NOT NULL,
  message       TEXT         NOT NULL COMMENT 'why the last job failed',
  created_at    DATETIME(6)  NOT NULL,
  expires_at    DATETIME(6)  NULL     COMMENT 'null: never',
  ended_at      DATETIME(6)  NULL     COMMENT 'when it was terminated; null: it was not',
  unsatisfiable BOOLEAN      NOT NULL DEFAULT FALSE COMMENT 'no layout kept all rules: nothing was ever made',
  warned_for    DATETIME(6)  NULL     COMMENT 'the end of the lease that was warned of',
  services      LONGTEXT     NOT NULL,
  config        LONGTEXT     NOT NULL,
  working_config LONGTEXT    NULL COMMENT 'the configuration before the first of the latest ones that failed; null: none was replaced',
  snapshot      LONGTEXT     NOT NULL COMMENT 'provider, template and services as they were when it was made',
  provider_type VARCHAR(255)
    AS (JSON_UNQUOTE(JSON_EXTRACT(snapshot, '$.provider.providertype'))) STORED COMMENT 'of the snapshot',
  secrets       MEDIUMTEXT   NOT NULL DEFAULT ('{}') COMMENT 'provider fields given for it alone: name, sealed value',
  headers       LONGTEXT     NOT NULL COMMENT 'name, label, ... of provider and template, for lists',
  template_name VARCHAR(255)
    AS (JSON_UNQUOTE(JSON_EXTRACT(headers, '$.clusterTemplate.name'))) STORED COMMENT 'of the headers',
  provider_name VARCHAR(255)
    AS (JSON_UNQUOTE(JSON_EXTRACT(headers, '$.provider.name'))) STORED COMMENT 'of the headers',
  node_count    INT          NOT NULL,
  dns_suffix    VARCHAR(255) NOT NULL DEFAULT '' COMMENT 'of the names of its nodes',
  region        VARCHAR(255) NOT NULL DEFAULT '' COMMENT 'where its provider makes machines; empty: without regions',
  latest_job_id BIGINT       NULL,
  deletions_since BIGINT     NULL     COMMENT 'first job of the deletions that failed one after the other; null: none',
  services_stopped INT       NOT NULL DEFAULT 0 COMMENT 'how many of its services are stopped on a machine; as of the last end of a job',
  KEY cluster_expires (expires_at),
  CONSTRAINT cluster_tenant FOREIGN KEY (tenant_id) REFERENCES tenant (id),
  CONSTRAINT cluster_status CHECK (status IN ('pending', 'active', 'incomplete', 'inconsistent', 'terminated')),
  CONSTRAINT cluster_services CHECK (JSON_VALID(services)),
  CONSTRAINT cluster_config CHECK (JSON_VALID(config)),
  CONSTRAINT cluster_snapshot CHECK (JSON_VALID(snapshot)),
  CONSTRAINT cluster_headers CHECK (JSON_VALID(headers)),
  CONSTRAINT cluster_secrets CHECK (JSON_VALID(secrets)),
  CONSTRAINT cluster_working_config CHECK (working_config IS NULL OR JSON_VALID(working_config))
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;

CREATE TABLE node (
  id            BIGINT       NOT NULL AUTO_INCREMENT PRIMARY KEY,
  uuid          CHAR(36)     NOT NULL COMMENT 'the id the API shows',
  cluster_id    BIGINT       NOT NULL,
  nodenum       INT          NOT NULL,
  hostname      VARCHAR(255) NOT NULL,
  hardware_type VARCHAR(255) NOT NULL,
  image_type    VARCHAR(255) NOT NULL,
  flavor        VARCHAR(255) NOT NULL,
  image         VARCHAR(255) NOT NULL,
  ssh_user      VARCHAR(255) NOT NULL,
  settings      LONGTEXT     NOT NULL COMMENT 'what hardware and image type say about this provider',
  services      LONGTEXT     NOT NULL,
  automators    LONGTEXT     NOT NULL,
  addresses     LONGTEXT     NOT NULL COMMENT 'address type -> address; empty before confirm',
  results       LONGTEXT     NOT NULL COMMENT 'what tasks reported: providerid, ssh_host_keys, ...',
  leaves_job_id BIGINT       NULL     COMMENT 'the job that takes it away',
  has_left      BOOLEAN      NOT NULL DEFAULT FALSE COMMENT 'gone with the end of that job: it was complete, or had deleted the machine',
  was_set_up    BOOLEAN      NOT NULL DEFAULT FALSE COMMENT 'a job has done all that it had to do there',
  changed_in    BIGINT       NOT NULL DEFAULT 0 COMMENT 'job.node_changes at its last change',
  UNIQUE KEY node_uuid (uuid),
  UNIQUE KEY node_number (cluster_id, nodenum),
  CONSTRAINT node_cluster FOREIGN KEY (cluster_id) REFERENCES cluster (id),
  CONSTRAINT node_settings CHECK (JSON_VALID(settings)),
  CONSTRAINT node_services CHECK (JSON_VALID(services)),
  CONSTRAINT node_automators CHECK (JSON_VALID(automators)),
  CONSTRAINT node_addresses CHECK (JSON_VALID(addresses)),
  CONSTRAINT node_results CHECK (JSON_VALID(results))
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;

-- Where services are stopped; the end of each job writes it.
CREATE TABLE stopped_service (
  node_id BIGINT       NOT NULL,
  service VARCHAR(255) NOT NULL,
  PRIMARY KEY (node_id, service),
  CONSTRAINT stopped_service_node FOREIGN KEY (node_id) REFERENCES node (id) ON DELETE CASCADE
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;

-- How long machines were there, for reports of usage; outlives node and cluster.
CREATE TABLE machine_span (
  node_id          BIGINT       NOT NULL COMMENT 'the node may be gone',
  began_at         DATETIME(6)  NOT NULL COMMENT 'when the machine had been made',
  ended_at         DATETIME(6)  NULL     COMMENT 'when it had been deleted or was given up; null: it is there',
  tenant_id        BIGINT       NOT NULL,
  cluster_id       BIGINT       NOT NULL COMMENT 'the cluster may be gone',
  owner            VARCHAR(255) NOT NULL COMMENT 'name of the owner of the cluster',
  cluster_template VARCHAR(255) NOT NULL,
  provider_type    VARCHAR(255) NOT NULL DEFAULT '' COMMENT 'what its price depends on, down to image',
  provider         VARCHAR(255) NOT NULL DEFAULT '',
  region           VARCHAR(255) NOT NULL DEFAULT '',
  flavor           VARCHAR(255) NOT NULL DEFAULT '',
  image            VARCHAR(255) NOT NULL DEFAULT '',
  added_up         TINYINT      NOT NULL DEFAULT 0 COMMENT '1: machine_usage has it; 2: while that is written',
  PRIMARY KEY (node_id, began_at),
  KEY machine_span_time (tenant_id, added_up, ended_at, began_at),
  KEY machine_span_cluster (cluster_id, ended_at),
  KEY machine_span_age (added_up, ended_at),
  CONSTRAINT machine_span_tenant FOREIGN KEY (tenant_id) REFERENCES tenant (id)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;

-- The sums of spans that are over: what is asked of all time costs the same after years, and stays when spans are deleted.
CREATE TABLE machine_usage (
  tenant_id        BIGINT       NOT NULL,
  owner            VARCHAR(255) NOT NULL,
  cluster_template VARCHAR(255) NOT NULL,
  machines         BIGINT       NOT NULL,
  seconds          BIGINT       NOT NULL,
  minutes          BIGINT       NOT NULL COMMENT 'whole ones of each machine, as hours and days',
  hours            BIGINT       NOT NULL,
  days             BIGINT       NOT NULL,
  first_at         DATETIME(6)  NOT NULL COMMENT 'when the first of these machines had been made',
  last_at          DATETIME(6)  NOT NULL COMMENT 'when the last of them was deleted',
  PRIMARY KEY (tenant_id, owner, cluster_template),
  CONSTRAINT machine_usage_tenant FOREIGN KEY (tenant_id) REFERENCES tenant (id)
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

-- What machines cost per hour, as administrators say. Prices that are over stay: usage was metered by them.
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

CREATE TABLE job (
  id           BIGINT      NOT NULL AUTO_INCREMENT PRIMARY KEY,
  cluster_id   BIGINT      NOT NULL,
  operation    VARCHAR(32) NOT NULL,
  status       VARCHAR(16) NOT NULL,
  message      TEXT        NOT NULL,
  tasks_total  INT         NOT NULL,
  tasks_done   INT         NOT NULL,
  tasks_failed INT         NOT NULL,
  tasks_left   INT         NOT NULL DEFAULT 0 COMMENT 'failed and cancelled ones that the last retry has left as they were',
  aborted      BOOLEAN     NOT NULL DEFAULT FALSE COMMENT 'a person ended it: what runs is the last of it',
  kept         VARCHAR(16) NOT NULL DEFAULT 'everything' COMMENT 'what is left of it after its time',
  end_recorded BOOLEAN     NOT NULL DEFAULT FALSE COMMENT 'its end is in the audit log',
  node_changes BIGINT      NOT NULL DEFAULT 0 COMMENT 'counts the changes of nodes of its cluster, on from the job before',
  asked_by_id  BIGINT      NULL COMMENT 'the user who asked for it, who may be gone; null: nobody did, or it is not known',
  asked_by     VARCHAR(255) NOT NULL DEFAULT '' COMMENT 'the name of that user; without one, what asked: lease; empty: not known',
  request      VARCHAR(64) NOT NULL DEFAULT '' COMMENT 'id of the request that asked for it; empty: none did',
  created_at   DATETIME(6) NOT NULL,
  finished_at  DATETIME(6) NULL,
  goes_on_without TEXT     NULL COMMENT 'services that it removes so that the rest of a failed job goes on; null: it does not',
  leaves_as_is BOOLEAN     NOT NULL DEFAULT FALSE COMMENT 'those services had left the cluster before: it only gives up to remove what is installed',
  only_keeps   BOOLEAN     NOT NULL DEFAULT FALSE COMMENT 'it removes no machine and keeps those that an earlier job was taking away',
  goes_back    BOOLEAN     NOT NULL DEFAULT FALSE COMMENT 'it applies the last configuration that worked again',
  KEY job_cluster (cluster_id, id),
  KEY job_age (kept, finished_at),
  KEY job_unrecorded (end_recorded, finished_at),
  CONSTRAINT job_of_cluster FOREIGN KEY (cluster_id) REFERENCES cluster (id),
  CONSTRAINT job_status CHECK (status IN ('not_submitted', 'running', 'complete', 'failed', 'paused')),
  CONSTRAINT job_ended CHECK ((status IN ('complete', 'failed')) = (finished_at IS NOT NULL)),
  CONSTRAINT job_operation CHECK (operation IN ('solve_layout', 'cluster_create', 'cluster_delete', 'cluster_configure',
                                                'cluster_configure_with_restart', 'stop_services', 'start_services',
                                                'restart_services', 'add_services', 'cluster_grow', 'cluster_shrink',
                                                'remove_services', 'replace_node')),
  CONSTRAINT job_kept CHECK (kept IN ('everything', 'tasks', 'itself')),
  CONSTRAINT job_goes_on CHECK (goes_on_without IS NULL OR JSON_VALID(goes_on_without))
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;

ALTER TABLE cluster
  ADD CONSTRAINT cluster_latest_job FOREIGN KEY (latest_job_id) REFERENCES job (id),
  ADD KEY cluster_newest (tenant_id, id),
  ADD KEY cluster_age (unsatisfiable, ended_at);

ALTER TABLE cluster
  ADD KEY cluster_unsatisfiable (owner_id, unsatisfiable, ended_at),
  ADD KEY cluster_use (tenant_id, status, id, node_count),
  ADD KEY cluster_name (tenant_id, name),
  ADD KEY cluster_everywhere (status, id),
  ADD KEY cluster_stopped (status, services_stopped, id),
  ADD KEY cluster_of_template (tenant_id, template_name, status, node_count),
  ADD KEY cluster_of_provider (tenant_id, provider_name, status, node_count),
  ADD CONSTRAINT cluster_owner FOREIGN KEY (owner_id) REFERENCES user (id) ON DELETE SET NULL;

ALTER TABLE node
  ADD CONSTRAINT node_leaves_with FOREIGN KEY (leaves_job_id) REFERENCES job (id),
  ADD KEY node_changes (cluster_id, changed_in),
  ADD KEY node_hostname (cluster_id, hostname, nodenum, has_left);

CREATE TABLE task (
  id            BIGINT       NOT NULL AUTO_INCREMENT PRIMARY KEY,
  job_id        BIGINT       NOT NULL,
  node_id       BIGINT       NOT NULL,
  action        VARCHAR(16)  NOT NULL,
  service       VARCHAR(255) NOT NULL COMMENT 'empty for hardware actions',
  state         VARCHAR(16)  NOT NULL,
  waits_for     INT          NOT NULL COMMENT 'unfinished predecessors',
  attempt       INT          NOT NULL COMMENT 'attempts begun',
  attempts_offset INT        NOT NULL DEFAULT 0 COMMENT 'attempts before a person asked to try again',
  fence         BIGINT       NOT NULL COMMENT 'grows with every claim; whoever holds an older one has lost the task',
  worker        VARCHAR(255) NULL,
  claimed_until DATETIME(6)  NULL,
  held_for      BIGINT       NULL     COMMENT 'the tenant whose limit it counts for while it is claimed; null without a limit',
  message       TEXT         NOT NULL,
  started_at    DATETIME(6)  NULL,
  finished_at   DATETIME(6)  NULL,
  KEY task_job (job_id, id),
  KEY task_node (node_id, id),
  KEY task_claimed (claimed_until),
  KEY task_held (held_for),
  CONSTRAINT task_of_job FOREIGN KEY (job_id) REFERENCES job (id),
  CONSTRAINT task_on_node FOREIGN KEY (node_id) REFERENCES node (id),
  CONSTRAINT task_action CHECK (action IN ('create', 'confirm', 'bootstrap', 'install', 'configure', 'initialize',
                                           'start', 'stop', 'remove', 'delete')),
  CONSTRAINT task_state CHECK (state IN ('blocked', 'ready', 'claimed', 'done', 'failed', 'cancelled')),
  CONSTRAINT task_claim CHECK ((state = 'claimed') = (claimed_until IS NOT NULL)),
  CONSTRAINT task_held_while_claimed CHECK (held_for IS NULL OR claimed_until IS NOT NULL)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;

CREATE TABLE task_edge (
  before_id BIGINT NOT NULL,
  after_id  BIGINT NOT NULL,
  PRIMARY KEY (before_id, after_id),
  KEY task_edge_after (after_id),
  CONSTRAINT task_edge_before FOREIGN KEY (before_id) REFERENCES task (id) ON DELETE CASCADE,
  CONSTRAINT task_edge_follower FOREIGN KEY (after_id) REFERENCES task (id) ON DELETE CASCADE
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;

-- The queue's head: a small table of what may be claimed, so that claiming never walks over finished tasks.
CREATE TABLE ready_task (
  task_id   BIGINT      NOT NULL PRIMARY KEY,
  tenant_id BIGINT      NOT NULL COMMENT 'of the cluster; claiming goes round tenants',
  run_at    DATETIME(6) NOT NULL,
  needs     TEXT        NOT NULL COMMENT 'JSON: the automators, or "provider " and its type',
  KEY ready_task_due (tenant_id, run_at, task_id),
  CONSTRAINT ready_task_task FOREIGN KEY (task_id) REFERENCES task (id) ON DELETE CASCADE
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;

-- Who claims for a tenant with a limit takes its row here first: two that count at the same time would both find room.
CREATE TABLE tenant_turn (
  tenant_id BIGINT NOT NULL PRIMARY KEY,
  claims    BIGINT NOT NULL
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;

CREATE TABLE attempt (
  task_id     BIGINT       NOT NULL,
  number      INT          NOT NULL,
  worker      VARCHAR(255) NOT NULL,
  status      VARCHAR(16)  NOT NULL,
  status_code INT          NULL,
  stdout      TEXT         NULL COMMENT 'last 2048 characters, kept on failure',
  stderr      TEXT         NULL,
  outage_since DATETIME(6) NULL COMMENT 'since when its node or provider has not been reached; null: it answers',
  outage_turns INT         NOT NULL DEFAULT 0 COMMENT 'turns since then that did not reach it',
  started_at  DATETIME(6)  NOT NULL,
  finished_at DATETIME(6)  NULL,
  PRIMARY KEY (task_id, number),
  CONSTRAINT attempt_task FOREIGN KEY (task_id) REFERENCES task (id) ON DELETE CASCADE,
  CONSTRAINT attempt_status CHECK (status IN ('in_progress', 'complete', 'failed')),
  CONSTRAINT attempt_ended CHECK ((status = 'in_progress') = (finished_at IS NULL))
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;

CREATE TABLE transcript (
  id        BIGINT      NOT NULL AUTO_INCREMENT PRIMARY KEY,
  task_id   BIGINT      NOT NULL,
  attempt   INT         NOT NULL,
  stream    VARCHAR(8)  NOT NULL,
  at        DATETIME(6) NOT NULL,
  from_byte BIGINT      NOT NULL COMMENT 'where it begins in what the attempt has printed; our own words do not count',
  size      INT         NOT NULL COMMENT 'bytes of the text; body is shorter when it is compressed (zlib)',
  body      MEDIUMBLOB  NOT NULL,
  KEY transcript_task (task_id, id),
  CONSTRAINT transcript_of_task FOREIGN KEY (task_id) REFERENCES task (id) ON DELETE CASCADE,
  CONSTRAINT transcript_stream CHECK (stream IN ('out', 'err', 'note'))
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;

CREATE TABLE daemon (
  instance     VARCHAR(255) NOT NULL PRIMARY KEY COMMENT 'host and lock file: the same after a restart',
  pid          INT          NOT NULL,
  capacity     INT          NOT NULL COMMENT 'tasks it runs at once',
  running      INT          NOT NULL,
  drains       BOOLEAN      NOT NULL DEFAULT FALSE COMMENT 'a person took it out: it claims nothing new',
  started_at   DATETIME(6)  NOT NULL,
  heartbeat_at DATETIME(6)  NOT NULL,
  metrics      MEDIUMTEXT   NOT NULL DEFAULT ('[]') COMMENT 'what it counts itself, as of its last heartbeat',
  version      VARCHAR(64)  NOT NULL DEFAULT '' COMMENT 'of its program; empty: it does not say, as those before this column',
  CONSTRAINT daemon_metrics CHECK (JSON_VALID(metrics))
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;

-- What happened to clusters, for those who asked to be called back: written with the change, sent by the daemon.
CREATE TABLE callback (
  id             BIGINT      NOT NULL AUTO_INCREMENT PRIMARY KEY,
  cluster_id     BIGINT      NOT NULL,
  job_id         BIGINT      NOT NULL COMMENT 'the latest one where it is about the cluster',
  event          VARCHAR(16) NOT NULL,
  cluster_status VARCHAR(16) NOT NULL COMMENT 'as it was then',
  job_status     VARCHAR(16) NOT NULL,
  message        TEXT        NOT NULL,
  state          VARCHAR(16) NOT NULL,
  attempts       INT         NOT NULL COMMENT 'attempts begun',
  next_at        DATETIME(6) NULL     COMMENT 'when it is sent, or sent again if nobody says how it went',
  body           LONGTEXT    NULL     COMMENT 'what was sent and will be sent again; forgotten when it is over',
  reply          INT         NULL     COMMENT 'HTTP status of the last answer',
  error          TEXT        NOT NULL COMMENT 'why the last attempt failed',
  created_at     DATETIME(6) NOT NULL,
  finished_at    DATETIME(6) NULL,
  is_noted       BOOLEAN     NOT NULL DEFAULT FALSE COMMENT 'whether the mails about it were written',
  KEY callback_due (state, next_at),
  KEY callback_of (cluster_id, id),
  KEY callback_job (job_id),
  KEY callback_age (finished_at),
  KEY callback_noted (is_noted, id),
  CONSTRAINT callback_cluster FOREIGN KEY (cluster_id) REFERENCES cluster (id),
  CONSTRAINT callback_job FOREIGN KEY (job_id) REFERENCES job (id),
  CONSTRAINT callback_event CHECK (event IN ('start', 'success', 'failure', 'expiring')),
  CONSTRAINT callback_state CHECK (state IN ('waiting', 'delivered', 'given_up', 'unwanted')),
  CONSTRAINT callback_ended CHECK ((state = 'waiting') = (finished_at IS NULL))
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;

-- What is wrong with the installation, as superadmins were told by mail; a row goes when it is over.
CREATE TABLE told_trouble (
  kind    VARCHAR(16)  NOT NULL COMMENT 'provisioner: it is silent; queue: tasks of a tenant wait long; budget: of a tenant, nearly used up',
  subject VARCHAR(255) NOT NULL COMMENT 'instance of a provisioner, or name of a tenant',
  told_at DATETIME(6)  NOT NULL,
  PRIMARY KEY (kind, subject)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;

-- Which mails people want, and mails that are not sent yet.
CREATE TABLE mail_choice (
  user_id      BIGINT       NOT NULL PRIMARY KEY,
  address      VARCHAR(254) NOT NULL COMMENT 'where mails go, confirmed; empty: none',
  events       VARCHAR(64)  NOT NULL COMMENT 'words of callback.event, with commas',
  of_installation BOOLEAN   NOT NULL DEFAULT FALSE COMMENT 'mails about the whole installation, for superadmins',
  failed_logins BOOLEAN     NOT NULL DEFAULT FALSE COMMENT 'mails about failed logins of the user',
  failed_logins_told BIGINT NOT NULL DEFAULT 0 COMMENT 'number in the audit log of the tenant up to which they were told',
  failed_logins_at DATETIME(6) NULL COMMENT 'when the last mail about them was written; null: none was',
  next_address VARCHAR(254) NOT NULL COMMENT 'becomes the address when its code is given; empty: none',
  code_hash    CHAR(64)     NULL     COMMENT 'BLAKE2b-256 of the code, hexadecimal',
  code_until   DATETIME(6)  NULL     COMMENT 'when the code ends',
  code_tries   INT          NOT NULL COMMENT 'wrong codes',
  codes_day    DATE         NULL,
  codes_sent   INT          NOT NULL COMMENT 'codes on that day',
  KEY mail_choice_next (next_address),
  CONSTRAINT mail_choice_user FOREIGN KEY (user_id) REFERENCES user (id) ON DELETE CASCADE,
  CONSTRAINT mail_choice_code CHECK ((code_hash IS NULL) = (code_until IS NULL))
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;

CREATE TABLE mail (
  id         BIGINT       NOT NULL AUTO_INCREMENT PRIMARY KEY,
  user_id    BIGINT       NOT NULL,
  address    VARCHAR(254) NOT NULL,
  subject    VARCHAR(255) NOT NULL,
  body       TEXT         NOT NULL,
  is_code    BOOLEAN      NOT NULL COMMENT 'confirms an address: goes before others',
  attempts   INT          NOT NULL COMMENT 'attempts begun',
  until      DATETIME(6)  NOT NULL COMMENT 'later it is not sent any more',
  next_at    DATETIME(6)  NOT NULL COMMENT 'when it is sent, or sent again if nobody says how it went',
  created_at DATETIME(6)  NOT NULL,
  error      VARCHAR(500) NOT NULL DEFAULT '' COMMENT 'why the last attempt failed, with the mail server; empty: none failed',
  failing_since DATETIME(6) NULL COMMENT 'when the first attempt failed; null: none failed',
  KEY mail_due (next_at),
  KEY mail_user (user_id),
  CONSTRAINT mail_user FOREIGN KEY (user_id) REFERENCES user (id) ON DELETE CASCADE
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;

-- What was made under a key of the script, so that sending a request again makes nothing more.
CREATE TABLE idempotency_key (
  user_id     BIGINT       NOT NULL,
  name        VARCHAR(255) NOT NULL,
  fingerprint CHAR(64)     NOT NULL COMMENT 'of the request it came with first',
  cluster_id  BIGINT       NOT NULL COMMENT 'what that made',
  created_at  DATETIME(6)  NOT NULL,
  PRIMARY KEY (user_id, name),
  KEY idempotency_key_age (created_at),
  CONSTRAINT idempotency_key_user FOREIGN KEY (user_id) REFERENCES user (id) ON DELETE CASCADE,
  CONSTRAINT idempotency_key_cluster FOREIGN KEY (cluster_id) REFERENCES cluster (id) ON DELETE CASCADE
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;

-- Marks what is ours where others may keep things, too.
CREATE TABLE installation (
  only_one BOOLEAN  NOT NULL PRIMARY KEY,
  id       CHAR(32) NOT NULL,
  CONSTRAINT installation_only_one CHECK (only_one = 1)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;

-- Where the fields of providers lead, to look there for machines no node has: each account by one daemon at a time.
CREATE TABLE provider_account (
  id            BIGINT       NOT NULL AUTO_INCREMENT PRIMARY KEY,
  tenant_id     BIGINT       NOT NULL COMMENT '0: of the installation, as hosts of a daemon are',
  provider_type VARCHAR(255) NOT NULL,
  name          VARCHAR(255) NOT NULL COMMENT 'what people know it by; no secret',
  provider      VARCHAR(255) NOT NULL COMMENT 'the provider whose fields lead there; empty for the installation',
  known_at      DATETIME(6)  NOT NULL COMMENT 'when a provider or a cluster last led there, to the hour',
  looked_at     DATETIME(6)  NULL     COMMENT 'when its machines were last listed; null: never',
  next_look_at  DATETIME(6)  NOT NULL,
  failures      INT          NOT NULL COMMENT 'looks that failed since then',
  error         TEXT         NOT NULL COMMENT 'why the last look failed; empty: it did not',
  UNIQUE KEY provider_account_name (tenant_id, provider_type, name)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;

-- Machines that are there although no node has them: left alone, for a person to look at.
CREATE TABLE unknown_machine (
  id            BIGINT       NOT NULL AUTO_INCREMENT PRIMARY KEY,
  account_id    BIGINT       NOT NULL,
  tenant_id     BIGINT       NOT NULL COMMENT 'whose admins see it; 0: superadmins only',
  machine_id    VARCHAR(255) NOT NULL COMMENT 'the id the provider gave it',
  name          VARCHAR(255) NOT NULL,
  addresses     TEXT         NOT NULL COMMENT 'address type -> address',
  part          VARCHAR(32)  NOT NULL DEFAULT '' COMMENT 'disk, address ...; empty: a machine',
  size_gb       INT          NOT NULL DEFAULT 0 COMMENT 'of a disk; 0: not known',
  first_seen_at DATETIME(6)  NOT NULL,
  last_seen_at  DATETIME(6)  NOT NULL,
  UNIQUE KEY unknown_machine_id (account_id, machine_id),
  KEY unknown_machine_list (tenant_id, id),
  CONSTRAINT unknown_machine_account FOREIGN KEY (account_id) REFERENCES provider_account (id) ON DELETE CASCADE,
  CONSTRAINT unknown_machine_addresses CHECK (JSON_VALID(addresses))
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;

-- What accounts of clouds allow a second is shared by all daemons.
CREATE TABLE call_rate (
  account CHAR(64)    NOT NULL COMMENT 'a fingerprint of type and name of the account',
  kind    VARCHAR(32) NOT NULL COMMENT 'read or create: counted apart',
  idle_at DATETIME(6) NOT NULL COMMENT 'when all calls that were taken will have gone (GCRA)',
  PRIMARY KEY (account, kind),
  KEY call_rate_idle (idle_at)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;

-- The last test of each provider: whether its login is valid, and what may be chosen there.
CREATE TABLE provider_test (
  tenant_id   BIGINT       NOT NULL,
  provider    VARCHAR(255) NOT NULL COMMENT 'its name in the catalogue',
  number      BIGINT       NOT NULL COMMENT 'counts the tests; an answer to an earlier one is dropped',
  asked_at    DATETIME(6)  NOT NULL,
  asked_by    VARCHAR(255) NOT NULL COMMENT 'name of the user who asked or saved the provider',
  taken_until DATETIME(6)  NULL     COMMENT 'a daemon is at it until then; null: nobody',
  done_at     DATETIME(6)  NULL     COMMENT 'null: it waits, or is under way',
  passed      TINYINT      NOT NULL DEFAULT 0,
  message     TEXT         NOT NULL COMMENT 'why it did not pass',
  offer       LONGTEXT     NOT NULL COMMENT 'choices by field, and notes',
  PRIMARY KEY (tenant_id, provider),
  KEY provider_test_due (done_at, taken_until),
  CONSTRAINT provider_test_tenant FOREIGN KEY (tenant_id) REFERENCES tenant (id),
  CONSTRAINT provider_test_offer CHECK (JSON_VALID(offer))
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;

-- Existing machines that are not free: which node has which, and what is done with them afterwards.
CREATE TABLE machine_lease (
  id            BIGINT       NOT NULL AUTO_INCREMENT PRIMARY KEY,
  tenant_id     BIGINT       NOT NULL COMMENT 'whose provider lists it',
  provider_type VARCHAR(255) NOT NULL,
  provider      VARCHAR(255) NOT NULL,
  node          VARCHAR(64)  NOT NULL COMMENT 'name of the machine of the node that has or had it',
  held_by       VARCHAR(64)  NULL     COMMENT 'the same while the node has it',
  cluster       VARCHAR(32)  NOT NULL COMMENT 'of the node; it may be gone',
  task          BIGINT       NOT NULL COMMENT 'the latest that took it',
  machine       VARCHAR(255) NOT NULL COMMENT 'the name that its owner gave it',
  spread        VARCHAR(255) NOT NULL COMMENT 'what the nodes of a cluster are spread by',
  listed        TEXT         NOT NULL COMMENT 'the machine as its owner listed it; no secret',
  state         VARCHAR(16)  NOT NULL,
  reason        TEXT         NOT NULL COMMENT 'why it is broken, what it waits for',
  leased_at     DATETIME(6)  NOT NULL,
  changed_at    DATETIME(6)  NOT NULL COMMENT 'when it came to its state',
  UNIQUE KEY machine_lease_holder (held_by),
  KEY machine_lease_node (node),
  KEY machine_lease_cluster (cluster),
  KEY machine_lease_account (tenant_id, provider_type, provider),
  CONSTRAINT machine_lease_state CHECK (state IN ('leased', 'powered', 'wiping', 'wiped', 'broken')),
  CONSTRAINT machine_lease_listed CHECK (JSON_VALID(listed))
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;

-- By what a leased machine is known, whoever lists it: its address, its host keys, its controller.
CREATE TABLE machine_lease_identity (
  identity VARCHAR(255) NOT NULL PRIMARY KEY,
  lease_id BIGINT       NOT NULL,
  KEY machine_lease_identity_lease (lease_id),
  CONSTRAINT machine_lease_identity_lease FOREIGN KEY (lease_id) REFERENCES machine_lease (id) ON DELETE CASCADE
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;

-- Which machine of a node its account was seen to list. One that is not listed any more is lost.
CREATE TABLE machine_sighting (
  node_id       BIGINT       NOT NULL PRIMARY KEY,
  account_id    BIGINT       NOT NULL,
  machine_id    VARCHAR(255) NOT NULL COMMENT 'the id the provider gave it',
  misses        INT          NOT NULL COMMENT 'looks in a row that did not list it',
  missing_since DATETIME(6)  NULL     COMMENT 'null: the last look listed it',
  replace_after DATETIME(6)  NULL     COMMENT 'when its replacement is tried again; null: it was not refused',
  KEY machine_sighting_account (account_id),
  KEY machine_sighting_misses (misses),
  CONSTRAINT machine_sighting_node FOREIGN KEY (node_id) REFERENCES node (id) ON DELETE CASCADE,
  CONSTRAINT machine_sighting_account FOREIGN KEY (account_id) REFERENCES provider_account (id) ON DELETE CASCADE
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;

-- The audit log: who did what, from where, with what outcome. A chain of hashes per tenant; 0 is the installation's.
-- No reference to other tables: events stay when what they are about is gone.
CREATE TABLE audit_chain (
  tenant_id     BIGINT      NOT NULL PRIMARY KEY COMMENT '0: the installation',
  number        BIGINT      NOT NULL COMMENT 'of its last event; 0: none yet',
  hash          CHAR(64)    NOT NULL COMMENT 'of its last event',
  at            DATETIME(6) NOT NULL COMMENT 'of its last event',
  sealed_number BIGINT      NOT NULL DEFAULT 0 COMMENT 'the last event that a seal covers'
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;

-- Every column but hash is hashed (provisioner/model/audit/event.hpp says how), so none may change its text.
CREATE TABLE audit_event (
  tenant_id     BIGINT        NOT NULL,
  number        BIGINT        NOT NULL COMMENT 'from 1, without gaps',
  at            DATETIME(6)   NOT NULL,
  user_id       BIGINT        NOT NULL COMMENT '0: nobody, or nobody that is known',
  user_name     VARCHAR(255)  NOT NULL,
  user_tenant   VARCHAR(255)  NOT NULL,
  role          VARCHAR(16)   NOT NULL,
  credential    VARCHAR(64)   NOT NULL COMMENT 'session, key and its id, headers',
  client        VARCHAR(64)   NOT NULL COMMENT 'address',
  request       VARCHAR(64)   NOT NULL,
  action        VARCHAR(64)   NOT NULL,
  object_kind   VARCHAR(32)   NOT NULL,
  object_id     VARCHAR(64)   NOT NULL,
  object_name   VARCHAR(255)  NOT NULL,
  outcome       VARCHAR(16)   NOT NULL,
  status        INT           NOT NULL COMMENT 'of the answer that refused; else 0',
  reason        VARCHAR(1000) NOT NULL,
  times         INT           NOT NULL COMMENT 'refusals of one kind within a minute are one row',
  before_value  MEDIUMTEXT    NOT NULL COMMENT 'JSON without secrets; empty: there was nothing',
  after_value   MEDIUMTEXT    NOT NULL,
  previous      CHAR(64)      NOT NULL COMMENT 'hash of the event before it',
  hash          CHAR(64)      NOT NULL COMMENT 'SHA-256',
  PRIMARY KEY (tenant_id, number),
  KEY audit_event_at (tenant_id, at),
  KEY audit_event_user (tenant_id, user_name),
  KEY audit_event_action (tenant_id, action),
  KEY audit_event_object (tenant_id, object_name),
  KEY audit_event_object_id (tenant_id, object_id),
  KEY audit_event_request (tenant_id, request),
  KEY audit_event_kind (tenant_id, object_kind),
  KEY audit_event_outcome (tenant_id, outcome),
  CONSTRAINT audit_event_outcome CHECK (outcome IN ('done', 'refused', 'failed'))
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;

-- Signatures of what a chain was at a moment, under a key that only the daemon has.
CREATE TABLE audit_seal (
  tenant_id  BIGINT       NOT NULL,
  number     BIGINT       NOT NULL COMMENT 'of the last event that it covers',
  hash       CHAR(64)     NOT NULL COMMENT 'of that event',
  sealed_at  DATETIME(6)  NOT NULL,
  public_key VARCHAR(64)  NOT NULL COMMENT 'base64',
  signature  VARCHAR(128) NOT NULL COMMENT 'Ed25519, base64',
  anchor     VARCHAR(128) NOT NULL DEFAULT '' COMMENT 'signature of: what is before it was deleted by age',
  PRIMARY KEY (tenant_id, number)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;

-- How far each receiver of events has acknowledged each chain.
CREATE TABLE audit_export (
  target    VARCHAR(255) NOT NULL,
  tenant_id BIGINT       NOT NULL,
  number    BIGINT       NOT NULL COMMENT 'of the last event that it has',
  PRIMARY KEY (target, tenant_id)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;

-- Who sends to a receiver: one daemon at a time.
CREATE TABLE audit_target (
  target     VARCHAR(255)  NOT NULL PRIMARY KEY,
  held_by    VARCHAR(64)   NOT NULL,
  held_until DATETIME(6)   NOT NULL,
  failures   INT           NOT NULL DEFAULT 0 COMMENT 'in a row',
  retry_at   DATETIME(6)   NULL,
  error      VARCHAR(1000) NOT NULL DEFAULT ''
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;

-- Keys with which daemons log in to machines, per tenant or provider, and how far they have got on each node. Without a row
-- here a provider uses the installation's key, one derived from it, or a file of its own.
CREATE TABLE login_key (
  id          BIGINT        NOT NULL AUTO_INCREMENT PRIMARY KEY,
  tenant_id   BIGINT        NOT NULL,
  provider    VARCHAR(255)  NOT NULL COMMENT 'empty: all providers of the tenant that have no key of their own',
  public_key  VARCHAR(255)  NOT NULL,
  private_key VARCHAR(2000) NOT NULL COMMENT 'sealed; empty once it is retired',
  state       VARCHAR(16)   NOT NULL,
  made_at     DATETIME(6)   NOT NULL,
  made_by     VARCHAR(255)  NOT NULL,
  spread_at   DATETIME(6)   NULL     COMMENT 'when all nodes had it; null: not yet',
  retired_at  DATETIME(6)   NULL     COMMENT 'when no node needed it any more',
  enlisted_at DATETIME(6)   NULL     COMMENT 'when its nodes had rows in node_login_key; null: look for them',
  KEY login_key_owner (tenant_id, provider, state),
  KEY login_key_unlisted (state, enlisted_at),
  KEY login_key_unsettled (state, spread_at),
  CONSTRAINT login_key_tenant FOREIGN KEY (tenant_id) REFERENCES tenant (id),
  CONSTRAINT login_key_state CHECK (state IN ('current', 'replaced', 'retired'))
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;

-- A node without a row has not been looked at. Only step done counts: then key_id opens it and no older key does.
CREATE TABLE node_login_key (
  node_id    BIGINT        NOT NULL PRIMARY KEY,
  key_id     BIGINT        NOT NULL COMMENT 'the key that the node gets',
  step       VARCHAR(16)   NOT NULL,
  tries      INT           NOT NULL DEFAULT 0 COMMENT 'that failed, in a row',
  message    VARCHAR(1000) NOT NULL DEFAULT '' COMMENT 'why the last try failed',
  held_until DATETIME(6)   NULL     COMMENT 'a daemon works on it',
  retry_at   DATETIME(6)   NULL,
  changed_at DATETIME(6)   NOT NULL,
  due_at     DATETIME(6)   NULL     COMMENT 'when a daemon may try; null: never, it is done or has no machine',
  fence      BIGINT        NOT NULL DEFAULT 0 COMMENT 'grows with each try: what an earlier one does late is refused',
  given_up_at DATETIME(6)  NULL     COMMENT 'since when no older key is kept for it',
  given_up_by VARCHAR(255) NOT NULL DEFAULT '',
  CONSTRAINT node_login_key_node FOREIGN KEY (node_id) REFERENCES node (id) ON DELETE CASCADE,
  CONSTRAINT node_login_key_key FOREIGN KEY (key_id) REFERENCES login_key (id),
  CONSTRAINT node_login_key_step CHECK (step IN ('waiting', 'added', 'tried', 'done'))
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;

ALTER TABLE node_login_key
  ADD KEY node_login_key_due (due_at);

-- What the seed has made once: it does not make it again after somebody has deleted it.
CREATE TABLE seeded_item (
  kind    VARCHAR(16)  NOT NULL,
  tenant  VARCHAR(255) NOT NULL COMMENT 'name of the tenant',
  name    VARCHAR(255) NOT NULL COMMENT 'of the tenant, of the user, or of the user whose key it is',
  item_id BIGINT       NOT NULL COMMENT 'its row, which may be gone; 0: it was gone before this was recorded',
  PRIMARY KEY (kind, tenant, name),
  CONSTRAINT seeded_item_kind CHECK (kind IN ('tenant', 'user', 'key'))
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;

-- Which key of daemons seals, so that a host with an older one seals nothing that nobody opens later.
CREATE TABLE sealing_key (
  id           TINYINT     NOT NULL PRIMARY KEY COMMENT 'always 1',
  number       INT         NOT NULL,
  fingerprint  VARCHAR(16) NOT NULL COMMENT 'of its public half',
  published_at DATETIME(6) NOT NULL,
  spread_at    DATETIME(6) NULL     COMMENT 'since when all that daemons open is sealed under it; null: not yet',
  CONSTRAINT sealing_key_one CHECK (id = 1)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;

-- Forms that were filled in and not carried out yet: a log-in came between, or a preview.
CREATE TABLE kept_form (
  id         CHAR(32)    NOT NULL COMMENT 'random; part of the address of its page',
  user_id    BIGINT      NOT NULL,
  path       VARCHAR(2048) NOT NULL COMMENT 'what it is sent to',
  body       MEDIUMTEXT  NOT NULL COMMENT 'its fields but the secret ones, as a browser writes them',
  created_at DATETIME(6) NOT NULL,
  PRIMARY KEY (id),
  KEY kept_form_user (user_id, created_at),
  KEY kept_form_age (created_at),
  CONSTRAINT kept_form_user FOREIGN KEY (user_id) REFERENCES user (id) ON DELETE CASCADE
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;

-- Forms that were sent, so that sending one a second time makes nothing a second time.
CREATE TABLE sent_form (
  user_id    BIGINT        NOT NULL,
  name       CHAR(64)      NOT NULL COMMENT 'hash of its path and its key',
  location   VARCHAR(2048) NULL     COMMENT 'where its answer led; null: it is being carried out',
  created_at DATETIME(6)   NOT NULL,
  PRIMARY KEY (user_id, name),
  KEY sent_form_age (created_at),
  CONSTRAINT sent_form_user FOREIGN KEY (user_id) REFERENCES user (id) ON DELETE CASCADE
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;

-- How much output of each tenant was stored on each day, so that no tenant fills the disk of all. Without a foreign key: it would
-- lock the tenant, which layouts hold for long.
CREATE TABLE output_of_day (
  day       DATE   NOT NULL COMMENT 'in UTC',
  tenant_id BIGINT NOT NULL,
  bytes     BIGINT NOT NULL COMMENT 'as stored, which is compressed, with what rows take besides',
  PRIMARY KEY (day, tenant_id)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;
