-- min_program: 7
-- The oldest program that goes on serving on a schema: what a rolling update may leave running.

-- The lowest schema version that a program must know to serve after this migration. Null for the migrations before
-- this column: every older program is refused there.
ALTER TABLE schema_migrations ADD COLUMN min_program integer;
