-- min_program: 7
-- The access token that made a key, a target, a route or the ping address of a schedule, as {"id", "name"} at that time. Null: a
-- login or an application made it, or a version that did not record it.
-- What outlives a token needs the scope `admin` from now on. A token that exists keeps its rights.

ALTER TABLE api_keys ADD COLUMN made_by_token jsonb;
ALTER TABLE notification_targets ADD COLUMN made_by_token jsonb;
ALTER TABLE notification_routes ADD COLUMN made_by_token jsonb;
ALTER TABLE schedules ADD COLUMN made_by_token jsonb;

UPDATE access_tokens SET scopes = array_append(scopes, 'admin')
WHERE 'write' = ANY (scopes) AND NOT 'admin' = ANY (scopes);
