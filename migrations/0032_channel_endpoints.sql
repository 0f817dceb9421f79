-- A workspace at a vendor (of Slack, of Teams) that installed a tenant's app.
create table channel_connection (
  environment_id uuid not null references environment,
  id uuid not null,
  identifier text collate "C" not null,
  integration_id uuid not null,
  -- Whose own it is. When they are deleted it stays, for the others who are reached through it.
  subscriber_id uuid,
  -- It was made for everybody of its contexts.
  shared boolean not null,
  -- Sorted `type:id`.
  context_keys text[] not null,
  workspace jsonb not null,
  -- Sealed JSON: the access token and what renews it. Null: the app's own credentials are enough.
  auth text,
  -- Which one it is: sealed anew it has another text, and is still the same.
  auth_number integer not null default 1,
  -- Of the access token.
  expires_at timestamptz(3),
  -- A refresh token may be good once: until then one node alone asks for the next.
  renewing_until timestamptz(3),
  -- What the vendor said when it refused us. Nothing is sent there until the workspace is connected anew.
  refused text,
  updated_at timestamptz(3) not null,
  primary key (environment_id, id),
  foreign key (environment_id, integration_id) references integration,
  foreign key (environment_id, subscriber_id) references subscriber on delete set null (subscriber_id)
);
create unique index channel_connection_identifier on channel_connection (environment_id, identifier);
create index channel_connection_updated_at on channel_connection (environment_id, updated_at, id);
create index channel_connection_integration on channel_connection (environment_id, integration_id, id);
create index channel_connection_subscriber on channel_connection (environment_id, subscriber_id, id);
alter table channel_connection enable row level security;
create policy tenant on channel_connection
  using (environment_id = (select current_environment()) or (select is_system()));

-- Where somebody is reached: a channel or a person at Slack, a chat with a bot, a browser.
create table channel_endpoint (
  environment_id uuid not null references environment,
  id uuid not null,
  identifier text collate "C" not null,
  integration_id uuid not null,
  connection_id uuid,
  subscriber_id uuid not null,
  -- Sorted `type:id`. It is used for events that have all of them. They may be long; indexes hold their digest.
  context_keys text[] not null,
  contexts bytea not null,
  type text not null,
  -- Sealed JSON: webhooks and the subscriptions of browsers are bearer secrets.
  endpoint text not null,
  -- A digest of type and endpoint, by which a sealed one is found.
  place bytea not null,
  -- When its vendor said that this chat no longer exists: it is not called any more until it is given anew.
  gone_at timestamptz(3),
  updated_at timestamptz(3) not null,
  primary key (environment_id, id),
  foreign key (environment_id, integration_id) references integration,
  foreign key (environment_id, connection_id) references channel_connection on delete cascade,
  foreign key (environment_id, subscriber_id) references subscriber on delete cascade
);
create unique index channel_endpoint_identifier on channel_endpoint (environment_id, identifier);
-- The same place twice would be told everything twice.
create unique index channel_endpoint_once
  on channel_endpoint (environment_id, subscriber_id, integration_id, place, contexts);
create index channel_endpoint_updated_at on channel_endpoint (environment_id, updated_at, id);
create index channel_endpoint_place on channel_endpoint (environment_id, integration_id, place);
create index channel_endpoint_connection on channel_endpoint (environment_id, connection_id, id);
alter table channel_endpoint enable row level security;
create policy tenant on channel_endpoint
  using (environment_id = (select current_environment()) or (select is_system()));

-- Somebody was sent to a vendor to agree, and is expected back: once, and soon.
create table connect_attempt (
  environment_id uuid not null,
  id uuid not null,
  integration_id uuid not null,
  -- Whom it is about. With them it goes: another of this name is somebody else.
  subscriber_id uuid,
  -- Of what the vendor gives back to us.
  secret_hash bytea not null,
  -- What is to be made when he comes.
  wanted jsonb not null,
  expires_at timestamptz(3) not null,
  primary key (environment_id, id),
  foreign key (environment_id, integration_id) references integration on delete cascade,
  foreign key (environment_id, subscriber_id) references subscriber on delete cascade
);
create index connect_attempt_expiry on connect_attempt (environment_id, expires_at);
create index connect_attempt_subscriber on connect_attempt (environment_id, subscriber_id);
alter table connect_attempt enable row level security;
create policy tenant on connect_attempt
  using (environment_id = (select current_environment()) or (select is_system()));

-- The endpoint that a chat message goes to. Null: the subscriber's credentials say where.
alter table message add column endpoint_id uuid;
