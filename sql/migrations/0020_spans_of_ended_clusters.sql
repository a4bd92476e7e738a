-- A create that ended after its cluster was given up left a span that nothing could close.
UPDATE machine_span
LEFT JOIN cluster ON cluster.id = machine_span.cluster_id
SET machine_span.ended_at = GREATEST(machine_span.began_at, COALESCE(cluster.ended_at, machine_span.began_at))
WHERE machine_span.ended_at IS NULL AND (cluster.id IS NULL OR cluster.status = 'terminated');
