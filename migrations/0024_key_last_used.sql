-- When a key was last used, to the minute: a key that nobody uses can be revoked without fear.
alter table api_key add column last_used_at timestamptz(3);
