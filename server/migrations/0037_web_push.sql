-- min_program: 7
-- Web push: the browsers in which members are notified, and the keys that sign the requests to push services.

-- A pair of keys of the installation (RFC 8292). There is one, and another for as long as the key that encrypts it is lost.
CREATE TABLE web_push_keys (
  -- The id of the key that encrypts: two processes that begin at once make one pair.
  encryption_key text PRIMARY KEY,
  public_key text NOT NULL,
  -- Encrypted.
  private_key text NOT NULL,
  created_at timestamptz(3) NOT NULL
);

-- A browser is its user's: what it is sent is decided by the organization that the user belongs to at that time.
CREATE TABLE web_push_browsers (
  id uuid PRIMARY KEY,
  user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  -- SHA-256. The address itself is a secret: whoever has it may send.
  endpoint_hash bytea NOT NULL UNIQUE,
  -- The address and the keys of the subscription, encrypted.
  subscription text NOT NULL,
  -- The pair of keys that it was made with.
  encryption_key text NOT NULL REFERENCES web_push_keys,
  -- Of the push service.
  host text NOT NULL,
  user_agent text,
  created_at timestamptz(3) NOT NULL,
  -- The login that it belongs to; null: that one has ended.
  session_id uuid REFERENCES sessions ON DELETE SET NULL,
  -- Its login has ended by its age alone, which does not end notifications.
  outlives_session boolean NOT NULL DEFAULT false,
  last_success_at timestamptz(3),
  failing_since timestamptz(3),
  last_failure text
);
CREATE INDEX web_push_browsers_user ON web_push_browsers (user_id, id);
CREATE INDEX web_push_browsers_session ON web_push_browsers (session_id) WHERE session_id IS NOT NULL;

-- Of a target with several recipients: those that have the message while others are still to get it.
ALTER TABLE deliveries ADD COLUMN accepted_by uuid[];
