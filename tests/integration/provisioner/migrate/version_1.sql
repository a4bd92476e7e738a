-- What an installation of the first version might have held: clusters that live, are being made, are gone, and were refused.
INSERT INTO tenant (id, uid, name, description, workers, max_clusters, max_nodes, created_at) VALUES
  (1, 'acme-uid', 'acme', '', 10, 100, 1000, '2025-01-01 00:00:00');

-- Another bob owned cluster 3: this one came after it was made.
INSERT INTO user (id, tenant_id, name, role, password_hash, created_at) VALUES
  (1, 1, 'ann', 'admin', '', '2025-01-01 00:00:00'),
  (2, 1, 'bob', 'user', '', '2025-06-01 00:00:00');

INSERT INTO api_key (id, user_id, name, key_hash, created_at, expires_at) VALUES
  (1, 1, 'scripts', REPEAT('a', 64), '2025-01-01 00:00:00', NULL);

INSERT INTO catalogue_entry (tenant_id, kind, name, version, document, created_at) VALUES
  (1, 'service', 'web', 1, '{"name":"web","provisioner":{"actions":{}}}', '2025-01-01 00:00:00');

INSERT INTO plugin_resource (tenant_id, kind, plugin, resource_type, name, version, live, slated, content, created_at) VALUES
  (1, 'automator', 'shell', 'script', 'hello', 1, TRUE, TRUE, '#!/bin/sh', '2025-01-01 00:00:00');

SET @snapshot = '{"provider":{"name":"cloud","version":1,"providertype":"simulated","provisioner":{}},"clusterTemplate":{"name":"pair","version":1},"services":[{"name":"web","version":1,"provisioner":{"actions":{"start":{"type":"shell","fields":{"script":"echo"}}}}}]}';
SET @headers = '{"provider":{"name":"cloud","version":1},"clusterTemplate":{"name":"pair","version":1}}';

INSERT INTO cluster (id, tenant_id, owner, name, description, status, message, created_at, expires_at, services, config, snapshot, headers, node_count) VALUES
  (1, 1, 'ann', 'live', '', 'active', '', '2025-02-01 10:00:00', NULL, '["web"]', '{}', @snapshot, @headers, 2),
  (2, 1, 'ann', 'gone', '', 'terminated', '', '2025-03-01 10:00:00', NULL, '["web"]', '{}', @snapshot, @headers, 2),
  (3, 1, 'bob', 'refused', '', 'terminated', 'Layout solving failed', '2025-04-01 10:00:00', NULL, '[]', '{}', @snapshot, @headers, 0),
  (4, 1, 'ann', 'making', '', 'pending', '', '2025-07-01 10:00:00', '2030-07-01 10:00:00', '["web"]', '{}', @snapshot, @headers, 2);

INSERT INTO node (id, uuid, cluster_id, nodenum, hostname, hardware_type, image_type, flavor, image, ssh_user, settings, services, automators, addresses, results) VALUES
  (11, '00000000-0000-0000-0000-000000000011', 1, 1000, 'live1-1000.example.com', 'small', 'debian', 'f', 'i', 'root', '{}', '["web"]', '["shell"]', '{"access_v4":"10.0.0.1"}', '{}'),
  (12, '00000000-0000-0000-0000-000000000012', 1, 1001, 'live1-1001.example.com', 'small', 'debian', 'f', 'i', 'root', '{}', '["web"]', '["shell"]', '{"access_v4":"10.0.0.2"}', '{}'),
  (21, '00000000-0000-0000-0000-000000000021', 2, 1000, 'gone2-1000', 'small', 'debian', 'f', 'i', 'root', '{}', '["web"]', '["shell"]', '{}', '{}'),
  (22, '00000000-0000-0000-0000-000000000022', 2, 1001, 'gone2-1001', 'small', 'debian', 'f', 'i', 'root', '{}', '["web"]', '["shell"]', '{}', '{}'),
  (41, '00000000-0000-0000-0000-000000000041', 4, 1000, 'making4-1000.local', 'small', 'debian', 'f', 'i', 'root', '{}', '["web"]', '["shell"]', '{}', '{}'),
  (42, '00000000-0000-0000-0000-000000000042', 4, 1001, 'making4-1001.local', 'small', 'debian', 'f', 'i', 'root', '{}', '["web"]', '["shell"]', '{}', '{}');

INSERT INTO job (id, cluster_id, operation, status, message, tasks_total, tasks_done, tasks_failed, created_at, finished_at) VALUES
  (1, 1, 'cluster_create', 'complete', '', 2, 2, 0, '2025-02-01 10:00:00', '2025-02-01 10:05:00'),
  (2, 2, 'cluster_create', 'complete', '', 2, 2, 0, '2025-03-01 10:00:00', '2025-03-01 10:05:00'),
  (3, 2, 'cluster_delete', 'complete', '', 1, 1, 0, '2025-03-02 10:00:00', '2025-03-02 10:06:00'),
  (4, 3, 'solve_layout', 'failed', 'Layout solving failed', 0, 0, 0, '2025-04-01 10:00:00', '2025-04-01 10:00:00'),
  (5, 4, 'cluster_create', 'running', '', 4, 1, 0, '2025-07-01 10:00:00', NULL);

UPDATE cluster SET latest_job_id = 1 WHERE id = 1;
UPDATE cluster SET latest_job_id = 3 WHERE id = 2;
UPDATE cluster SET latest_job_id = 4 WHERE id = 3;
UPDATE cluster SET latest_job_id = 5 WHERE id = 4;

-- Of cluster 2, machine 22 was never deleted by a task: it was gone when its cluster was.
INSERT INTO task (id, job_id, node_id, action, service, state, waits_for, attempt, fence, worker, claimed_until, message, started_at, finished_at) VALUES
  (101, 1, 11, 'create', '', 'done', 0, 1, 1, NULL, NULL, '', '2025-02-01 10:00:00', '2025-02-01 10:01:00'),
  (102, 1, 12, 'create', '', 'done', 0, 2, 2, NULL, NULL, '', '2025-02-01 10:00:00', '2025-02-01 10:02:00'),
  (201, 2, 21, 'create', '', 'done', 0, 1, 1, NULL, NULL, '', '2025-03-01 10:00:00', '2025-03-01 10:01:00'),
  (202, 2, 22, 'create', '', 'done', 0, 1, 1, NULL, NULL, '', '2025-03-01 10:00:00', '2025-03-01 10:02:00'),
  (203, 3, 21, 'delete', '', 'done', 0, 1, 1, NULL, NULL, '', '2025-03-02 10:00:00', '2025-03-02 10:05:00'),
  (401, 5, 41, 'create', '', 'done', 0, 1, 1, NULL, NULL, '', '2025-07-01 10:00:00', '2025-07-01 10:01:00'),
  (402, 5, 41, 'start', 'web', 'ready', 0, 1, 1, NULL, NULL, 'failed once', '2025-07-01 10:02:00', NULL),
  (403, 5, 42, 'create', '', 'ready', 0, 0, 0, NULL, NULL, '', NULL, NULL),
  (404, 5, 42, 'start', 'web', 'blocked', 1, 0, 0, NULL, NULL, '', NULL, NULL);

INSERT INTO task_edge (before_id, after_id) VALUES (403, 404);

INSERT INTO ready_task (task_id, run_at) VALUES (402, '2025-07-01 10:03:00'), (403, '2025-07-01 10:00:00');

INSERT INTO attempt (task_id, number, worker, status, status_code, stdout, stderr, started_at, finished_at) VALUES
  (102, 1, 'host/1', 'failed', 1, 'out', 'err', '2025-02-01 10:00:00', '2025-02-01 10:01:00'),
  (402, 1, 'host/1', 'failed', 3, 'hello', 'oh', '2025-07-01 10:02:00', '2025-07-01 10:02:30');

INSERT INTO transcript (id, task_id, attempt, stream, at, body) VALUES
  (1, 402, 1, 'note', '2025-07-01 10:02:00', 'begins'),
  (2, 402, 1, 'out', '2025-07-01 10:02:01', 'hello'),
  (3, 402, 1, 'err', '2025-07-01 10:02:02', 'oh'),
  (4, 402, 1, 'out', '2025-07-01 10:02:03', ' again');
