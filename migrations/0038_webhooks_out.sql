-- Servers of a tenant that are told what happened.
create table webhook_endpoint (
  environment_id uuid not null references environment,
  id uuid not null,
  url text not null,
  description text,
  -- Null: all, also those of later versions.
  event_types text[],
  -- Sealed JSON: what signs, the newest first; each but the newest with the time until which it does.
  secrets text not null,
  state text not null check (state in ('enabled', 'disabled', 'deleted')),
  disabled_reason text,
  -- Since when everything that was tried has failed.
  failing_since timestamptz(3),
  -- One worker at a time delivers to it. Until then nobody else does: it may have died, or the endpoint asked us to wait.
  busy_until timestamptz(3) not null default now(),
  busy_by uuid,
  updated_at timestamptz(3) not null,
  primary key (environment_id, id)
);
create index webhook_endpoint_updated_at on webhook_endpoint (environment_id, updated_at, id);
alter table webhook_endpoint enable row level security;
create policy tenant on webhook_endpoint
  using (environment_id = (select current_environment()) or (select is_system()));

-- Something that happened, for one endpoint.
create table webhook_delivery (
  environment_id uuid not null,
  endpoint_id uuid not null,
  -- Of what happened: the same for all endpoints that are told of it.
  id uuid not null,
  type text not null,
  -- Whom it is about.
  subscriber_id uuid,
  -- What is sent, the same text at every try.
  body text not null,
  created_at timestamptz(3) not null,
  state text not null default 'open' check (state in ('open', 'delivered', 'failed')),
  -- When it is tried; during a try: when it is taken over. Null: it is settled.
  next_at timestamptz(3),
  -- The tries, the one under way included.
  number integer not null default 0,
  in_flight boolean not null default false,
  started_at timestamptz(3),
  -- Since it was made or replayed: they decide how long it waits, and when it is given up.
  failures smallint not null default 0,
  since timestamptz(3) not null,
  -- The last ones: when, and what was answered.
  tries jsonb not null default '[]',
  primary key (environment_id, endpoint_id, id)
);
create index webhook_delivery_due on webhook_delivery (environment_id, endpoint_id, next_at, id) where next_at is not null;
create index webhook_delivery_subscriber on webhook_delivery (environment_id, subscriber_id, id) where subscriber_id is not null;
alter table webhook_delivery set (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 2000);
alter table webhook_delivery enable row level security;
create policy tenant on webhook_delivery
  using (environment_id = (select current_environment()) or (select is_system()));

-- When its last step ended; only where somebody is told of it.
alter table notification add column completed_at timestamptz(3);

-- As enter_environment, and tells which types are wanted here: `*` all, empty nobody listens. One query for both, because
-- it is the first statement of every transaction that writes.
create function enter_and_hear(environment uuid) returns text[] language plpgsql volatile as $$
declare
  known text;
  wanted text[];
begin
  if pg_advisory_xact_lock_shared(environment_lock(environment)) is null then return null; end if;
  select e.state, array(select distinct unnest(coalesce(w.event_types, '{*}')) from webhook_endpoint w
      where w.environment_id = e.id and w.state = 'enabled')
    into known, wanted from environment e where e.id = environment;
  if known <> 'active' then perform enter_environment(environment); end if;
  return wanted;
end $$;

-- Endpoints of all environments that have something due and are with no worker. Each is given to whoever asked, until
-- `until`.
create function claim_webhook_lanes(moment timestamptz, until timestamptz, most integer)
  returns table (environment_id uuid, id uuid, busy_by uuid)
  language sql security definer set search_path from current set enable_seqscan = off
  as $$
    update webhook_endpoint e set busy_until = until, busy_by = gen_random_uuid()
    from (select o.environment_id, o.id from webhook_endpoint o
      where o.state = 'enabled' and o.busy_until <= moment and o.environment_id <> all ((select enter_loops())::uuid[])
        and exists (select 1 from webhook_delivery d
          where d.environment_id = o.environment_id and d.endpoint_id = o.id and d.next_at <= moment)
      order by o.busy_until limit most for update skip locked) due
    where e.environment_id = due.environment_id and e.id = due.id
    returning e.environment_id, e.id, e.busy_by
  $$;

-- A batch of what is too old, and of what belongs to deleted endpoints; those go when nothing of theirs is left.
create function purge_webhooks(before timestamptz, most integer) returns integer
  language sql security definer set search_path from current set enable_seqscan = off
  as $$
    with held as materialized (select (enter_loops())::uuid[] as ids),
    old as (
      select d.environment_id, d.endpoint_id, d.id from webhook_endpoint e cross join held
      cross join lateral (
        select o.environment_id, o.endpoint_id, o.id from webhook_delivery o
        where o.environment_id = e.environment_id and o.endpoint_id = e.id and not o.in_flight
          and (e.state = 'deleted' or (o.id < uuid_at(before) and o.since < before))
        order by o.id limit most for update skip locked) d
      where e.environment_id <> all (held.ids) limit most),
    gone as (
      delete from webhook_delivery d using old
      where (d.environment_id, d.endpoint_id, d.id) = (old.environment_id, old.endpoint_id, old.id) returning 1),
    forgotten as (
      delete from webhook_endpoint e using held where e.state = 'deleted' and e.environment_id <> all (held.ids)
        and not exists (select 1 from webhook_delivery d where d.environment_id = e.environment_id and d.endpoint_id = e.id)
      returning 1)
    select (select count(*) from gone)::integer + (select count(*) from forgotten)::integer
  $$;
