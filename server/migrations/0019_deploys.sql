-- min_program: 7
-- A release may be known by its deploy alone, before any event.

ALTER TABLE releases ALTER COLUMN first_seen DROP NOT NULL, ALTER COLUMN last_seen DROP NOT NULL;
CREATE INDEX releases_number ON releases (project_id, number);
CREATE INDEX releases_age ON releases (coalesce(last_seen, deployed_at));
CREATE INDEX deploys_age ON deploys (deployed_at);

-- Of what is stored already, the newest million events: reading all of a large store would take minutes. The counts of
-- releases that were seen before these are lower than they were.
INSERT INTO releases (project_id, version, first_seen, last_seen, events, errors, users, first_user)
SELECT project_id, release, min(captured_at), max(captured_at), count(*), count(*) FILTER (WHERE severity >= 'error'),
  least(count(DISTINCT user_hash), 2), min(user_hash)
FROM (
  SELECT project_id, release, severity,
    to_timestamp(('x' || encode(substring(uuid_send(id) FOR 6), 'hex'))::bit(48)::bigint / 1000.0) AS captured_at,
    hashtext(coalesce(nullif(correlation ->> 'user_id', ''), nullif(correlation ->> 'customer_id', ''))) AS user_hash
  FROM (SELECT * FROM events ORDER BY id DESC LIMIT 1000000) AS newest WHERE btrim(release) <> ''
) AS named GROUP BY 1, 2 ORDER BY min(captured_at)
ON CONFLICT DO NOTHING;
