-- What a person chose in a subscription to a topic: a name, and per workflow whether and on which condition. A member
-- without such a row has the plain subscription and chose nothing. With rows he has exactly these; the one with the empty
-- identifier is the plain one. Leaving the topic takes them along.
create table subscription_detail (
  environment_id uuid not null,
  topic_id uuid not null,
  subscriber_id uuid not null,
  identifier text collate "C" not null check (length(identifier) <= 512),
  id uuid not null,
  name text,
  -- Sorted. Not empty: only events of exactly these contexts.
  context_keys text[] not null default '{}',
  -- By workflow id: { enabled, condition? }, the condition in JSON Logic.
  preferences jsonb not null default '{}',
  updated_at timestamptz(3) not null,
  primary key (environment_id, topic_id, subscriber_id, identifier, context_keys),
  foreign key (environment_id, topic_id, subscriber_id)
    references topic_subscription (environment_id, topic_id, subscriber_id) on delete cascade
);
create index subscription_detail_identifier on subscription_detail (environment_id, topic_id, identifier);
create index subscription_detail_subscriber on subscription_detail (environment_id, subscriber_id);

alter table subscription_detail enable row level security;
create policy tenant on subscription_detail
  using (environment_id = (select current_environment()) or (select is_system()));

-- Made by somebody who joined it from a browser: it goes with the last of its members.
alter table topic add column by_person boolean not null default false;
