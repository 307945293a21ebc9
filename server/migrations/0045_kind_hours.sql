-- min_program: 7
-- The most frequent kinds of each hour of an organization, with a bound on what all others count: the most frequent ones of
-- weeks are among those that the hours name, without reading what a million rare kinds count in them.

-- Of all severities together (null) and of each: the 100 largest kinds of all projects, and what any other counts at most. A
-- kind is a fingerprint. Nothing counts more than this says, but for events that came since: their hours are in `stale_hours`.
CREATE TABLE kind_hours (
  organization_id uuid NOT NULL,
  hour timestamptz(0) NOT NULL,
  severity severity,
  fingerprints text[] NOT NULL,
  counts bigint[] NOT NULL,
  others_at_most bigint NOT NULL,
  UNIQUE NULLS NOT DISTINCT (organization_id, hour, severity)
);
CREATE INDEX kind_hours_age ON kind_hours (hour);

CREATE FUNCTION list_largest_kinds(of_organization uuid, of_hour timestamptz) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM kind_hours WHERE organization_id = of_organization AND hour = of_hour;
  INSERT INTO kind_hours (organization_id, hour, severity, fingerprints, counts, others_at_most)
  WITH counted AS MATERIALIZED (
    SELECT group_id, sum(info) AS info, sum(warn) AS warn, sum(error) AS error, sum(critical) AS critical
    FROM projects CROSS JOIN LATERAL (
      SELECT group_id, info::bigint, warn::bigint, error::bigint, critical::bigint FROM group_minutes
      WHERE project_id = projects.id AND minute >= of_hour AND minute < of_hour + interval '1 hour'
      UNION ALL
      SELECT group_id, info, warn, error, critical FROM group_hours WHERE project_id = projects.id AND hour = of_hour
      OFFSET 0
    ) AS of_project
    WHERE organization_id = of_organization AND deleted_at IS NULL GROUP BY 1
  ), kinds AS MATERIALIZED (
    SELECT fingerprint, sum(info) AS info, sum(warn) AS warn, sum(error) AS error, sum(critical) AS critical
    FROM counted JOIN groups ON groups.id = group_id GROUP BY 1
  ), ranked AS (
    SELECT fingerprint, of.severity, of.count, row_number() OVER (PARTITION BY of.severity ORDER BY of.count DESC) AS place
    FROM kinds CROSS JOIN LATERAL (VALUES (NULL::severity, info + warn + error + critical), ('info', info), ('warn', warn),
      ('error', error), ('critical', critical)) AS of (severity, count)
    WHERE of.count > 0
  )
  SELECT of_organization, of_hour, severity, array_agg(fingerprint ORDER BY place) FILTER (WHERE place <= 100),
    array_agg(count ORDER BY place) FILTER (WHERE place <= 100), coalesce(max(count) FILTER (WHERE place > 100), 0)
  FROM ranked WHERE place <= 101 GROUP BY severity;
END $$;

-- Triggers: a program of the version before copies hours as well during a rolling update. The lock is that of the sums of
-- organizations. Each statement of a function sees what was committed before it began, so after the lock.
CREATE FUNCTION list_kinds_of_hours() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(7052032);
  PERFORM list_largest_kinds(organization_id, hour) FROM (SELECT DISTINCT organization_id, hour FROM changed) AS listed;
  RETURN NULL;
END $$;
CREATE TRIGGER event_hours_list_kinds AFTER INSERT ON event_hours REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION list_kinds_of_hours();

-- Lists may say too much, never too little. Only the kinds of deleted projects must go.
CREATE FUNCTION list_kinds_without_deleted() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(7052032);
  PERFORM list_largest_kinds(organization_id, hour) FROM (
    SELECT DISTINCT changed.organization_id, changed.hour
    FROM changed JOIN projects ON projects.id = changed.project_id AND projects.deleted_at IS NOT NULL
  ) AS listed;
  RETURN NULL;
END $$;
CREATE TRIGGER event_hours_list_kinds_without_deleted AFTER DELETE ON event_hours REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION list_kinds_without_deleted();

-- The largest counts of an hour of a project of one severity: most are infos, whose order is that of all together.
CREATE INDEX group_hours_warn ON group_hours (project_id, hour, warn) WHERE warn > 0;
CREATE INDEX group_hours_error ON group_hours (project_id, hour, error) WHERE error > 0;
CREATE INDEX group_hours_critical ON group_hours (project_id, hour, critical) WHERE critical > 0;

DO $$
BEGIN
  PERFORM list_largest_kinds(organization_id, hour)
  FROM (SELECT organization_id, hour FROM organization_hours GROUP BY 1, 2 ORDER BY 2) AS listed;
END $$;
