-- min_program: 7
-- Ingestion decides which payments failed; the mark is kept with the events and in their counts.

-- Null where the event is no payment, and of what an older program stored. Adding it rewrites no partition.
ALTER TABLE events ADD COLUMN failed_payment boolean;

-- How many of `count` are failed payments although their severity is milder than error. A failed payment of severity
-- error or worse is in `count` alone, so rows of an older program are right but for the milder ones.
ALTER TABLE event_counts ADD COLUMN failed_payments bigint NOT NULL DEFAULT 0;

-- Of events without a mark, which an older program queued or stored, the rule of that program.
CREATE FUNCTION is_failed_payment(mark boolean, type text, message text) RETURNS boolean
  LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN coalesce(mark, type = 'payment' AND message LIKE '%.payment\_failed');
