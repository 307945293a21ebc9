-- min_program: 7
-- Quiet hours of targets, the attention budget of routes, and the deliveries that wait for either.

-- Null: none.
ALTER TABLE notification_targets ADD COLUMN quiet_hours jsonb;
-- Messages within any seven days; null: no bound.
ALTER TABLE notification_routes ADD COLUMN max_per_week integer;
-- quiet_hours or budget: why `due_at` was put off, and the sentence that says so. Null: it was not.
ALTER TABLE deliveries ADD COLUMN deferred_by text, ADD COLUMN deferred_reason text;
