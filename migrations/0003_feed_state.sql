-- What people do with their in-app messages.

alter table message
  add column first_seen_at timestamptz(3),
  add column archived_at timestamptz(3),
  -- While it is ahead the message is out of the feed; once it has come it is the latest delivery. No timer moves it.
  add column snoozed_until timestamptz(3),
  -- Deliveries after the first, which is the time of the id, and before the one that snoozed_until tells.
  add column redelivered_at timestamptz(3)[],
  add constraint message_read_is_seen check (seen or not read);

-- The badges. What is unseen is unread too, so one index counts both; nearly all messages leave it sooner or later.
create index message_unread on message (environment_id, subscriber_id, seen, id) include (snoozed_until)
  where not read and archived_at is null and channel = 'in_app' and status <> 'error';
