-- min_program: 7
-- Counts by the hour of all projects of an organization together, for its charts and frequent values over weeks; and indexes by
-- which lists find the newest hours with a rare type, source or severity. Nothing of it is written when events come: hours are
-- copied by maintenance.

-- The sums of `event_hours` without the project, at any time: those of deleted projects are in it until their data is removed.
CREATE TABLE organization_hours (
  organization_id uuid NOT NULL,
  hour timestamptz(0) NOT NULL,
  severity severity NOT NULL,
  type text NOT NULL,
  source text,
  quarter_1 bigint NOT NULL,
  quarter_2 bigint NOT NULL,
  quarter_3 bigint NOT NULL,
  quarter_4 bigint NOT NULL,
  UNIQUE NULLS NOT DISTINCT (organization_id, hour, severity, type, source)
);

-- Triggers: a program of the version before copies and removes hours as well during a rolling update. The lock (that of
-- `organizationHours` among the program's advisory locks) makes one transaction at a time the writer of these sums.
CREATE FUNCTION add_organization_hours() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(7052032);
  INSERT INTO organization_hours AS o (organization_id, hour, severity, type, source, quarter_1, quarter_2, quarter_3, quarter_4)
  SELECT organization_id, hour, severity, type, source, sum(quarter_1), sum(quarter_2), sum(quarter_3), sum(quarter_4)
  FROM changed GROUP BY 1, 2, 3, 4, 5
  ON CONFLICT (organization_id, hour, severity, type, source) DO UPDATE SET
    quarter_1 = o.quarter_1 + excluded.quarter_1, quarter_2 = o.quarter_2 + excluded.quarter_2,
    quarter_3 = o.quarter_3 + excluded.quarter_3, quarter_4 = o.quarter_4 + excluded.quarter_4;
  RETURN NULL;
END $$;
CREATE TRIGGER event_hours_add_to_organization AFTER INSERT ON event_hours REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION add_organization_hours();

CREATE FUNCTION subtract_organization_hours() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(7052032);
  WITH sums AS MATERIALIZED (
    SELECT organization_id, hour, severity, type, source, sum(quarter_1) AS quarter_1, sum(quarter_2) AS quarter_2,
      sum(quarter_3) AS quarter_3, sum(quarter_4) AS quarter_4
    FROM changed GROUP BY 1, 2, 3, 4, 5
  ), left_over AS MATERIALIZED (
    SELECT o.ctid AS place, o.quarter_1 - sums.quarter_1 AS quarter_1, o.quarter_2 - sums.quarter_2 AS quarter_2,
      o.quarter_3 - sums.quarter_3 AS quarter_3, o.quarter_4 - sums.quarter_4 AS quarter_4
    FROM sums CROSS JOIN LATERAL (
      SELECT ctid, * FROM organization_hours AS o
      WHERE o.organization_id = sums.organization_id AND o.hour = sums.hour AND o.severity = sums.severity
        AND o.type = sums.type AND o.source IS NOT DISTINCT FROM sums.source OFFSET 0
    ) AS o
  ), emptied AS (
    DELETE FROM organization_hours WHERE ctid = ANY (ARRAY(
      SELECT place FROM left_over WHERE quarter_1 = 0 AND quarter_2 = 0 AND quarter_3 = 0 AND quarter_4 = 0))
  )
  UPDATE organization_hours AS o SET quarter_1 = left_over.quarter_1, quarter_2 = left_over.quarter_2,
    quarter_3 = left_over.quarter_3, quarter_4 = left_over.quarter_4
  FROM left_over WHERE o.ctid = left_over.place
    AND (left_over.quarter_1 <> 0 OR left_over.quarter_2 <> 0 OR left_over.quarter_3 <> 0 OR left_over.quarter_4 <> 0);
  RETURN NULL;
END $$;
CREATE TRIGGER event_hours_subtract_from_organization AFTER DELETE ON event_hours REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION subtract_organization_hours();

INSERT INTO organization_hours (organization_id, hour, severity, type, source, quarter_1, quarter_2, quarter_3, quarter_4)
SELECT organization_id, hour, severity, type, source, sum(quarter_1), sum(quarter_2), sum(quarter_3), sum(quarter_4)
FROM event_hours GROUP BY 1, 2, 3, 4, 5 ORDER BY 2;

CREATE INDEX event_hours_type ON event_hours (organization_id, type, severity, hour);
CREATE INDEX event_hours_source ON event_hours (organization_id, source, severity, hour);
CREATE INDEX event_hours_severity ON event_hours (organization_id, severity, hour);
