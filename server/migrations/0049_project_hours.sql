-- min_program: 7
-- Counts by the hour of each project without type and source, for its charts over weeks: an hour of a project has a row for each
-- combination of these in `event_hours`, hundreds of them, and at most one for each severity here. Nothing of it is written when
-- events come: hours are copied by maintenance.

CREATE TABLE project_hours (
  organization_id uuid NOT NULL,
  project_id uuid NOT NULL,
  hour timestamptz(0) NOT NULL,
  severity severity NOT NULL,
  quarter_1 bigint NOT NULL,
  quarter_2 bigint NOT NULL,
  quarter_3 bigint NOT NULL,
  quarter_4 bigint NOT NULL,
  PRIMARY KEY (project_id, hour, severity)
);

-- Triggers: a program of the version before copies and removes hours as well during a rolling update. The lock is that of the
-- sums of organizations.
CREATE FUNCTION add_project_hours() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(7052032);
  INSERT INTO project_hours AS p (organization_id, project_id, hour, severity, quarter_1, quarter_2, quarter_3, quarter_4)
  SELECT organization_id, project_id, hour, severity, sum(quarter_1), sum(quarter_2), sum(quarter_3), sum(quarter_4)
  FROM changed GROUP BY 1, 2, 3, 4
  ON CONFLICT (project_id, hour, severity) DO UPDATE SET
    quarter_1 = p.quarter_1 + excluded.quarter_1, quarter_2 = p.quarter_2 + excluded.quarter_2,
    quarter_3 = p.quarter_3 + excluded.quarter_3, quarter_4 = p.quarter_4 + excluded.quarter_4;
  RETURN NULL;
END $$;
CREATE TRIGGER event_hours_add_to_project AFTER INSERT ON event_hours REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION add_project_hours();

CREATE FUNCTION subtract_project_hours() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(7052032);
  WITH sums AS MATERIALIZED (
    SELECT project_id, hour, severity, sum(quarter_1) AS quarter_1, sum(quarter_2) AS quarter_2,
      sum(quarter_3) AS quarter_3, sum(quarter_4) AS quarter_4
    FROM changed GROUP BY 1, 2, 3
  ), left_over AS MATERIALIZED (
    SELECT p.ctid AS place, p.quarter_1 - sums.quarter_1 AS quarter_1, p.quarter_2 - sums.quarter_2 AS quarter_2,
      p.quarter_3 - sums.quarter_3 AS quarter_3, p.quarter_4 - sums.quarter_4 AS quarter_4
    FROM sums CROSS JOIN LATERAL (
      SELECT ctid, * FROM project_hours AS p
      WHERE p.project_id = sums.project_id AND p.hour = sums.hour AND p.severity = sums.severity OFFSET 0
    ) AS p
  ), emptied AS (
    DELETE FROM project_hours WHERE ctid = ANY (ARRAY(
      SELECT place FROM left_over WHERE quarter_1 = 0 AND quarter_2 = 0 AND quarter_3 = 0 AND quarter_4 = 0))
  )
  UPDATE project_hours AS p SET quarter_1 = left_over.quarter_1, quarter_2 = left_over.quarter_2,
    quarter_3 = left_over.quarter_3, quarter_4 = left_over.quarter_4
  FROM left_over WHERE p.ctid = left_over.place
    AND (left_over.quarter_1 <> 0 OR left_over.quarter_2 <> 0 OR left_over.quarter_3 <> 0 OR left_over.quarter_4 <> 0);
  RETURN NULL;
END $$;
CREATE TRIGGER event_hours_subtract_from_project AFTER DELETE ON event_hours REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION subtract_project_hours();

INSERT INTO project_hours (organization_id, project_id, hour, severity, quarter_1, quarter_2, quarter_3, quarter_4)
SELECT organization_id, project_id, hour, severity, sum(quarter_1), sum(quarter_2), sum(quarter_3), sum(quarter_4)
FROM event_hours GROUP BY 1, 2, 3, 4 ORDER BY 3;
