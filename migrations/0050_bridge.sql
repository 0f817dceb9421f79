-- Workflows that are code of a tenant: their steps are asked of the tenant's own server (the bridge) when they are reached.
create table bridge (
  environment_id uuid primary key references environment,
  url text not null,
  -- The API key whose text signs. Null, or revoked since: another one of the environment.
  key_id uuid,
  -- When it last told which workflows there are.
  synced_at timestamptz(3) not null,
  -- Since when nothing that was asked has been answered.
  failing_since timestamptz(3),
  failing_reason text,
  -- One worker at a time asks it. Until then nobody else does: it may have died, or the bridge is let be for a while.
  busy_until timestamptz(3) not null default now(),
  busy_by uuid
);
alter table bridge enable row level security;
create policy tenant on bridge
  using (environment_id = (select current_environment()) or (select is_system()));

-- A step of somebody's notification that the bridge is to be asked about. It goes when the answer stands in its job.
create table bridge_call (
  environment_id uuid not null,
  job_id uuid not null,
  notification_id uuid not null,
  -- When the step was reached.
  since timestamptz(3) not null,
  -- When it is asked; during a call: when it is taken over.
  next_at timestamptz(3) not null,
  -- The calls, the one under way included.
  number integer not null default 0,
  failures smallint not null default 0,
  primary key (environment_id, job_id)
);
create index bridge_call_due on bridge_call (environment_id, next_at, job_id);
create index bridge_call_since on bridge_call (environment_id, since);
create index bridge_call_notification on bridge_call (environment_id, notification_id);
alter table bridge_call set (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 2000);
alter table bridge_call enable row level security;
create policy tenant on bridge_call
  using (environment_id = (select current_environment()) or (select is_system()));

-- What the bridge answered about this step, as soon as it is known and once. Only of steps that were asked.
alter table job add column answer jsonb;

-- Bridges that have something to be asked and are with no worker. Each is given to whoever asked, until `until`.
create function claim_bridge_work(moment timestamptz, until timestamptz, most integer)
  returns table (environment_id uuid, busy_by uuid)
  language sql security definer set search_path from current set enable_seqscan = off
  as $$
    update bridge b set busy_until = until, busy_by = gen_random_uuid()
    from (select o.environment_id from bridge o
      where o.busy_until <= moment and o.environment_id <> all ((select enter_loops())::uuid[])
        and exists (select 1 from bridge_call c where c.environment_id = o.environment_id and c.next_at <= moment)
      order by o.busy_until limit most for update skip locked) due
    where b.environment_id = due.environment_id
    returning b.environment_id, b.busy_by
  $$;

-- How many steps wait for bridges, counted up to 10000, and since when the longest does.
create function bridge_backlog() returns table (calls bigint, oldest timestamptz)
  language sql stable security definer set search_path from current
  as $$
    select (select count(*) from (select 1 from bridge_call limit 10000) c), (select min(c.since) from bridge b
      cross join lateral (select c.since from bridge_call c where c.environment_id = b.environment_id order by c.since limit 1) c)
  $$;

-- What waits for a bridge is not idle.
create or replace function idle_notifications(before timestamptz) returns table (environment_id uuid, id uuid)
  language sql stable security definer set search_path from current set enable_nestloop = off
  as $$
    select distinct j.environment_id, j.notification_id from job j
    where j.status = 'pending' and j.updated_at < before and j.environment_id <> all ((select held_environments())::uuid[])
      and not exists (select 1 from job d
        where d.run_at is not null and d.environment_id = j.environment_id and d.notification_id = j.notification_id)
      and not exists (select 1 from message m
        where m.retry_at is not null and m.environment_id = j.environment_id and m.notification_id = j.notification_id)
      and not exists (select 1 from held_item h
        where h.kind = 'notification' and h.environment_id = j.environment_id and h.id = j.notification_id)
      and not exists (select 1 from bridge_call c
        where c.environment_id = j.environment_id and c.notification_id = j.notification_id)
  $$;
