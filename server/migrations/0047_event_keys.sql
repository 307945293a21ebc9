-- min_program: 7
-- Events of a fingerprint or a correlation id are found by a hash of 8 bytes in place of the organization and the text, and
-- those of a project without its organization: indexes were half of what an event takes.

-- Different values may have the same hash, so whoever looks one up compares organization and value as well.
CREATE FUNCTION event_key(organization_id uuid, value text) RETURNS bigint LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN hashtextextended(value, uuid_hash_extended(organization_id, 0));

-- Some 5 seconds a million events, in which accepted events wait in the queue.
CREATE INDEX events_fingerprint_key ON events (event_key(organization_id, fingerprint), id);
CREATE INDEX events_correlation_key ON events (event_key(organization_id, correlation_id), id);
CREATE INDEX events_of_project ON events (project_id, id);
-- The planner knows how frequent a value of an expression is from its index alone.
ANALYZE events;
