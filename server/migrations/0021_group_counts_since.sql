-- min_program: 7
-- Since when all events are counted in groups: what was stored before is not.

-- An older program may go on for a while during a rolling update. Without events there is nothing uncounted.
INSERT INTO settings (name, value)
SELECT 'group_counts_since', to_char((now() + interval '1 hour') AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')
WHERE EXISTS (SELECT FROM events) OR EXISTS (SELECT FROM queue)
ON CONFLICT DO NOTHING;
