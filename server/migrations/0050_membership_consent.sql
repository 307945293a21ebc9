-- min_program: 7
-- When the user agreed to the membership, by the act that made it (founding, signing up or joining by invitation) or by choosing
-- to stay after an OWNER added them. It holds for the membership that it is not older than: a program of the version before
-- moves a user without clearing it.

ALTER TABLE members ADD COLUMN confirmed_at timestamptz(3);

UPDATE members m SET confirmed_at = m.created_at
FROM organizations o
WHERE o.id = m.organization_id AND (
  o.created_at = m.created_at
  OR EXISTS (SELECT FROM audit_log a
    WHERE a.organization_id = m.organization_id AND a.user_id = m.user_id AND a.created_at >= m.created_at
      AND a.action IN ('account.signed_up', 'member.joined')));
