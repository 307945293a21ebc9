-- min_program: 1
-- The archive: weeks of events that are over move to another store, in blocks. All tables are empty until it is used.

-- At most one row.
CREATE TABLE archive_state (
  is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only),
  -- Name of the installation in the tokens of its blocks.
  installation_id uuid NOT NULL,
  -- Events captured before are in the archive, apart from late ones that have not followed yet; null: none are.
  archived_until timestamptz(3),
  -- Increases whenever PostgreSQL drops events that the archive has, late ones of the same weeks included.
  moves integer NOT NULL DEFAULT 0,
  -- When events were last removed from the archive that their projects keep for less time; null: never.
  expired_at timestamptz(3)
);

-- Events that move together: those of a week with ids after the first one and up to the last one.
CREATE TABLE archive_blocks (
  number bigint PRIMARY KEY,
  week timestamptz(3) NOT NULL,
  after_id uuid NOT NULL,
  last_id uuid NOT NULL,
  -- planned: it may be in the archive, wholly or in part; stored: it is, as compared; moved: PostgreSQL has its events no more;
  -- adopted: found in the archive, since the database is from a backup that is older than the block.
  state text NOT NULL DEFAULT 'planned' CHECK (state IN ('planned', 'stored', 'moved', 'adopted')),
  -- The archive's rows of it, and the sum of their hashes; null: it was never sent.
  rows bigint,
  hash numeric,
  -- Increases when it is removed to be sent again: a repeated token is dropped, with whatever rows.
  attempt integer NOT NULL DEFAULT 0,
  -- The last transaction that removed events of it from PostgreSQL before it moved; null: none did.
  changed_by xid8
);
CREATE INDEX archive_blocks_week ON archive_blocks (week, last_id);

-- A trigger of weeks that move: whatever removes an event makes the mover compare its block again, so that nothing is in the
-- archive alone that was removed meanwhile. Once a transaction and block, whose row the mover then waits for.
CREATE FUNCTION recompare_block() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE archive_blocks SET state = 'planned', changed_by = pg_current_xact_id()
    WHERE number = (
        SELECT number FROM archive_blocks WHERE week = TG_ARGV[0]::timestamptz AND last_id >= OLD.id AND state IN ('planned', 'stored')
        ORDER BY last_id LIMIT 1
      ) AND after_id < OLD.id AND changed_by IS DISTINCT FROM pg_current_xact_id();
  RETURN NULL;
END $$;

-- Events that are to be removed from the archive. A row is deleted when they are, one of an erasure with its end.
CREATE TABLE archive_deletions (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  -- project: it was deleted; value: an erasure; severity: a project keeps these for less time; week: too old.
  kind text NOT NULL CHECK (kind IN ('project', 'value', 'severity', 'week')),
  -- Values of its condition, by name; empty once it is done.
  condition jsonb NOT NULL,
  erasure_id uuid,
  is_done boolean NOT NULL DEFAULT false,
  -- Events that the removal in progress found, by block and project; null: none is in progress.
  found jsonb
);
