-- min_program: 7
-- Batches in the queue are compressed: they are half of what is written to disk for an event.

-- Within the row where that has room. Rows that wait stay as they are.
ALTER TABLE queue ALTER COLUMN events SET STORAGE MAIN;
