-- From trigger to record: workflows, and the history they make.
--
-- event, notification, job and message are partitioned by their id, whose first 48 bits are a time: a look-up by id goes
-- to one partition, and retention drops partitions whole. No foreign keys between them and no unique constraint but the
-- key: the ids of notification, job and message are computed (event, subscriber, step), so the key itself is the guard
-- against doing anything twice. What must be unique besides lives in event_key.

create table workflow (
  environment_id uuid not null references environment,
  id uuid not null,
  identifier text collate "C" not null,
  name text collate "C" not null,
  active boolean not null,
  -- Versions are never changed: whoever knows (id, version) may remember the definition for ever.
  version integer not null,
  created_by uuid not null,
  updated_at timestamptz(3) not null,
  deleted_at timestamptz(3),
  primary key (environment_id, id)
);
create unique index workflow_identifier on workflow (environment_id, identifier) where deleted_at is null;

create table workflow_version (
  environment_id uuid not null,
  workflow_id uuid not null,
  version integer not null,
  definition jsonb not null,
  primary key (environment_id, workflow_id, version),
  foreign key (environment_id, workflow_id) references workflow
);

-- One event per transactionId; the hash tells a repetition from a conflict.
create table event_key (
  environment_id uuid not null references environment,
  transaction_id text collate "C" not null,
  event_id uuid not null,
  event_hash bytea not null,
  primary key (environment_id, transaction_id)
);

create table event (
  environment_id uuid not null,
  id uuid not null,
  transaction_id text not null,
  workflow_id uuid not null,
  workflow_version integer not null,
  payload jsonb not null,
  overrides jsonb not null,
  -- Recipients as accepted, in order; null: everybody (broadcast).
  recipients jsonb,
  actor jsonb,
  tenant text,
  context jsonb,
  context_keys text[],
  state text not null default 'accepted' check (state in ('accepted', 'expanded', 'canceled')),
  -- How far the expansion got; moves in the transaction that writes the page.
  expand_cursor jsonb,
  notified_count integer not null default 0,
  primary key (environment_id, id)
) partition by range (id);
-- What is not yet expanded: few at any time.
create index event_open on event (environment_id, id) where state = 'accepted';

create table notification (
  environment_id uuid not null,
  id uuid not null,
  event_id uuid not null,
  transaction_id text not null,
  subscriber_id uuid not null,
  workflow_id uuid not null,
  workflow_version integer not null,
  topic_ids uuid[],
  context_keys text[],
  primary key (environment_id, id)
) partition by range (id);
create index notification_subscriber on notification (environment_id, subscriber_id, id);
create index notification_workflow on notification (environment_id, workflow_id, id);
create index notification_topics on notification using gin (environment_id, topic_ids) where topic_ids is not null;
create index notification_context on notification (environment_id, context_keys, id) where context_keys is not null;

create table job (
  environment_id uuid not null,
  id uuid not null,
  notification_id uuid not null,
  step_index smallint not null,
  type text not null,
  status text not null
    check (status in ('pending', 'queued', 'running', 'completed', 'failed', 'delayed', 'canceled', 'merged', 'skipped')),
  provider_id text,
  message_ids uuid[],
  -- Execution details, oldest first: one write per outcome.
  details jsonb not null,
  -- When a waiting job is due.
  run_at timestamptz(3),
  updated_at timestamptz(3) not null,
  primary key (environment_id, id)
) partition by range (id);
create index job_due on job (run_at) where run_at is not null;

create table message (
  environment_id uuid not null,
  id uuid not null,
  event_id uuid not null,
  notification_id uuid not null,
  job_id uuid not null,
  subscriber_id uuid not null,
  workflow_id uuid not null,
  workflow_version integer not null,
  step_index smallint not null,
  transaction_id text not null,
  channel text not null check (channel in ('in_app', 'email', 'sms', 'chat', 'push')),
  provider_id text,
  status text not null check (status in ('sent', 'error', 'warning')),
  error_id text,
  error_text text,
  subject text,
  content text not null,
  cta jsonb not null default '{}',
  avatar text,
  data jsonb,
  seen boolean not null default false,
  read boolean not null default false,
  seen_at timestamptz(3),
  read_at timestamptz(3),
  context_keys text[],
  updated_at timestamptz(3) not null,
  primary key (environment_id, id)
) partition by range (id);
create index message_subscriber on message (environment_id, subscriber_id, channel, id);
create index message_event on message (environment_id, event_id, id);
create index message_context on message (environment_id, context_keys, id) where context_keys is not null;

-- The smallest UUIDv7 of a moment.
create function uuid_at(moment timestamptz) returns uuid language sql immutable parallel safe
  as $$ select regexp_replace(lpad(to_hex((extract(epoch from moment) * 1000)::bigint), 12, '0'),
    '(.{8})(.{4})', '\1-\2-7000-8000-000000000000')::uuid $$;

-- Weekly partitions over a span of time, those that are missing. Each table also has a default one, for rows that
-- outlive the retention of their week.
create function ensure_partitions(first timestamptz, last timestamptz) returns void language plpgsql as $$
declare
  week timestamptz := date_trunc('week', first at time zone 'UTC') at time zone 'UTC';
  parent text;
begin
  while week <= last loop
    foreach parent in array array['event', 'notification', 'job', 'message'] loop
      execute format('create table if not exists %I partition of %I for values from (%L) to (%L)',
        parent || '_' || to_char(week at time zone 'UTC', 'YYYYMMDD'), parent, uuid_at(week), uuid_at(week + interval '7 days'));
      -- Without a policy of its own: through its parent it is read under the parent's, by its own name not at all.
      execute format('alter table %I enable row level security', parent || '_' || to_char(week at time zone 'UTC', 'YYYYMMDD'));
    end loop;
    week := week + interval '7 days';
  end loop;
end $$;

create table event_default partition of event default;
create table notification_default partition of notification default;
create table job_default partition of job default;
create table message_default partition of message default;
alter table event_default enable row level security;
alter table notification_default enable row level security;
alter table job_default enable row level security;
alter table message_default enable row level security;
select ensure_partitions(now() - interval '7 days', now() + interval '28 days');

alter table workflow enable row level security;
create policy tenant on workflow using (environment_id = (select current_environment()));
alter table workflow_version enable row level security;
create policy tenant on workflow_version using (environment_id = (select current_environment()));
alter table event_key enable row level security;
create policy tenant on event_key using (environment_id = (select current_environment()));
alter table event enable row level security;
create policy tenant on event using (environment_id = (select current_environment()));
alter table notification enable row level security;
create policy tenant on notification using (environment_id = (select current_environment()));
alter table job enable row level security;
create policy tenant on job using (environment_id = (select current_environment()));
alter table message enable row level security;
create policy tenant on message using (environment_id = (select current_environment()));
