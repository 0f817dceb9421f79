-- The ground: who owns what (organization, environment, api_key), whom we notify (subscriber, topic), through what
-- (integration), and the two tables that keep promises (idempotency, encryption_key).
--
-- Every tenant table leads with environment_id, in its key and in its foreign keys, so that a row cannot point across
-- environments and an environment can be copied to another cell. Ids are UUIDv7: the creation time is read from the
-- id, which is why there is no created_at column and why ordering by createdAt is ordering by id.

create extension if not exists pg_trgm;
create extension if not exists btree_gin;

create table organization (
  id uuid primary key,
  name text not null
);

create table environment (
  id uuid primary key,
  organization_id uuid not null references organization,
  name text not null
);
create index environment_organization on environment (organization_id);

create table api_key (
  environment_id uuid not null references environment,
  id uuid not null,
  name text not null,
  secret_hash bytea not null,
  -- The operator's own key (BOOTSTRAP_API_KEY): not of our format, so it is recognised by its hash.
  bootstrap boolean not null default false,
  revoked_at timestamptz(3),
  primary key (environment_id, id)
);
-- A key names its id, not its environment. Not unique: uniqueness across cells is nobody's to check.
create index api_key_id on api_key (id);
create unique index api_key_bootstrap on api_key (environment_id) where bootstrap and revoked_at is null;

create table subscriber (
  environment_id uuid not null references environment,
  id uuid not null,
  subscriber_id text collate "C" not null,
  first_name text,
  last_name text,
  full_name text generated always as (btrim(coalesce(first_name, '') || ' ' || coalesce(last_name, ''))) stored,
  email text,
  phone text,
  avatar text,
  locale text,
  timezone text,
  data jsonb,
  is_online boolean,
  last_online_at timestamptz(3),
  version integer not null default 0,
  updated_at timestamptz(3) not null,
  primary key (environment_id, id),
  unique (environment_id, subscriber_id)
);
create index subscriber_updated_at on subscriber (environment_id, updated_at, id);
-- One index for the three substring filters, in any combination.
create index subscriber_search on subscriber
  using gin (environment_id, email gin_trgm_ops, phone gin_trgm_ops, full_name gin_trgm_ops);

create table integration (
  environment_id uuid not null references environment,
  id uuid not null,
  provider_id text not null,
  channel text not null check (channel in ('in_app', 'email', 'sms', 'chat', 'push')),
  name text not null,
  identifier text collate "C" not null,
  -- Secret fields are sealed one by one; the others are readable.
  credentials jsonb not null default '{}',
  configurations jsonb not null default '{}',
  conditions jsonb not null default '[]',
  active boolean not null,
  is_primary boolean not null default false,
  -- Made by 4.1 for tokens that came before the integration; the first POST of that provider adopts it.
  placeholder boolean not null default false,
  deleted_at timestamptz(3),
  deleted_by uuid,
  primary key (environment_id, id),
  check (not is_primary or (active and deleted_at is null and channel in ('email', 'sms')))
);
create unique index integration_identifier on integration (environment_id, identifier) where deleted_at is null;
create unique index integration_primary on integration (environment_id, channel) where is_primary;

create table subscriber_channel (
  environment_id uuid not null,
  subscriber_id uuid not null,
  integration_id uuid not null,
  -- Sealed JSON of ChannelCredentials: webhook URLs and device tokens are bearer secrets.
  credentials text not null,
  primary key (environment_id, subscriber_id, integration_id),
  foreign key (environment_id, subscriber_id) references subscriber on delete cascade,
  foreign key (environment_id, integration_id) references integration
);

create table topic (
  environment_id uuid not null references environment,
  id uuid not null,
  key text collate "C" not null,
  name text collate "C",
  updated_at timestamptz(3) not null,
  -- A topic may have ten million members: deleting it is a mark, its rows go in batches (housekeeping).
  deleted_at timestamptz(3),
  primary key (environment_id, id)
);
create unique index topic_key on topic (environment_id, key) where deleted_at is null;
create index topic_updated_at on topic (environment_id, updated_at, id);
create index topic_name on topic (environment_id, (coalesce(name, '')), id);
create index topic_search on topic using gin (environment_id, key gin_trgm_ops, name gin_trgm_ops);
create index topic_deleted on topic (environment_id, id) where deleted_at is not null;

create table topic_subscription (
  environment_id uuid not null,
  topic_id uuid not null,
  id uuid not null,
  subscriber_id uuid not null,
  primary key (environment_id, topic_id, id),
  unique (environment_id, topic_id, subscriber_id),
  foreign key (environment_id, topic_id) references topic,
  foreign key (environment_id, subscriber_id) references subscriber on delete cascade
);
create index topic_subscription_subscriber on topic_subscription (environment_id, subscriber_id, id);

create table tenant (
  environment_id uuid not null references environment,
  id uuid not null,
  identifier text collate "C" not null,
  name text,
  data jsonb,
  updated_at timestamptz(3) not null,
  primary key (environment_id, id),
  unique (environment_id, identifier)
);

-- claim = SHA-256 of method, path and idempotency-key: a path may be longer than an index entry can be.
create table idempotency (
  environment_id uuid not null references environment,
  claim bytea not null,
  request_hash bytea not null,
  status smallint,
  reply text,
  claimed_at timestamptz(3) not null,
  primary key (environment_id, claim)
);
create index idempotency_claimed_at on idempotency (claimed_at);

-- Which encryption keys have sealed rows here; check_value proves that an id still names the same key.
create table encryption_key (
  id text primary key,
  check_value text not null,
  first_used_at timestamptz(3) not null,
  retired_at timestamptz(3)
);

-- The second wall. The owner of the tables is not held by these policies; a role that is not (the RLS test lane, or an
-- operator who opts in with ROW_LEVEL_SECURITY=true) sees only the environment its transaction has named.
create function current_environment() returns uuid language sql stable
  as $$ select nullif(current_setting('tidings.environment_id', true), '')::uuid $$;

alter table organization enable row level security;
alter table environment enable row level security;
create policy tenant on environment using (id = (select current_environment()));
alter table api_key enable row level security;
create policy tenant on api_key using (environment_id = (select current_environment()));
alter table subscriber enable row level security;
create policy tenant on subscriber using (environment_id = (select current_environment()));
alter table integration enable row level security;
create policy tenant on integration using (environment_id = (select current_environment()));
alter table subscriber_channel enable row level security;
create policy tenant on subscriber_channel using (environment_id = (select current_environment()));
alter table topic enable row level security;
create policy tenant on topic using (environment_id = (select current_environment()));
alter table topic_subscription enable row level security;
create policy tenant on topic_subscription using (environment_id = (select current_environment()));
alter table tenant enable row level security;
create policy tenant on tenant using (environment_id = (select current_environment()));
alter table idempotency enable row level security;
create policy tenant on idempotency using (environment_id = (select current_environment()));

-- A request's key is looked up before its environment is known: the one read that crosses the wall.
create function find_api_key(key_id uuid)
  returns table (environment_id uuid, organization_id uuid, secret_hash bytea, revoked boolean)
  language sql stable security definer set search_path from current
  as $$
    select k.environment_id, e.organization_id, k.secret_hash, k.revoked_at is not null
    from api_key k join environment e on e.id = k.environment_id
    where k.id = key_id
  $$;

-- Keys of the operator's own making have no id in their text: their hashes are loaded at start.
create function list_bootstrap_keys() returns table (id uuid, secret_hash bytea)
  language sql stable security definer set search_path from current
  as $$ select k.id, k.secret_hash from api_key k where k.bootstrap and k.revoked_at is null $$;
