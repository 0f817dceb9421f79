-- An environment can move to another cell. Its state says who may touch it meanwhile:
--   active     everything.
--   draining   requests are answered as ever; tasks begin nothing new.
--   frozen     nothing is read or written.
--   arriving   its rows are being copied here; nobody touches them.
--   departed   it lives in another cell; its rows here are leftovers.
-- Draining and frozen are leases: when they run out, the environment is active again by itself, whatever became of the
-- mover. Only effective_state knows that; nobody else reads these columns.
--
-- All locks first; nothing is rewritten. Rows of `environment` are read once, for the check, and they are few.
lock table subscriber_preference, environment in access exclusive mode;
alter table environment
  add column state text not null default 'active'
    check (state in ('active', 'arriving', 'draining', 'frozen', 'departed')),
  -- When the state began. A lease that is renewed keeps it.
  add column state_since timestamptz(3),
  -- The end of the lease of a draining or frozen one.
  add column frozen_until timestamptz(3),
  -- Where a departed one lives.
  add column cell text,
  -- Where an arriving one lives until it is active here.
  add column source_cell text,
  -- The first cell it lived in, if it came from another one: links that were handed out name it, and go on doing so.
  add column home_cell text,
  -- Grows by one with each move: of two cells that both name one, the higher generation is right.
  add column generation integer not null default 1;
create index environment_held on environment (id) where state <> 'active';

-- Where moved environments live. Gateways read it in the control database, which is one of the cells.
create table placement (
  environment_id uuid primary key,
  cell text not null,
  generation integer not null,
  changed_at timestamptz(3) not null default now()
);
alter table placement enable row level security;
create policy tenant on placement
  using (environment_id = (select current_environment()) or (select is_system()));

-- Logical replication does not send generated columns, and this one is part of the key. Nodes of the version before do not
-- name it, so it is filled in for them.
alter table subscriber_preference alter column scope drop expression;
create function fill_preference_scope() returns trigger language plpgsql as $$
begin
  new.scope := coalesce(new.workflow_id, new.subscriber_id);
  return new;
end $$;
create trigger fill_scope before insert on subscriber_preference
  for each row when (new.scope is null) execute function fill_preference_scope();

-- Leases end by the clock, also in the middle of a transaction.
create function effective_state(state text, until timestamptz) returns text language sql volatile
  as $$ select case when state in ('draining', 'frozen') and until <= clock_timestamp() then 'active' else state end $$;

-- Environments that no loop may touch. They are few, and passed over by comparing ids: a join would change the plans.
create function held_environments() returns uuid[] language sql volatile
  as $$
    select coalesce(array_agg(e.id), '{}') from environment e
    where e.state <> 'active' and effective_state(e.state, e.frozen_until) <> 'active'
  $$;

-- Writers share this lock until they commit; whoever changes the state takes it alone. So a change waits for the writers
-- before it, and those after it see it. A lock of the row would be written to the log with every transaction.
create function environment_lock(environment uuid) returns bigint language sql immutable
  as $$ select hashtextextended('environment ' || environment, 0) $$;
create function loops_lock() returns bigint language sql immutable
  as $$ select hashtextextended('tidings loops', 0) $$;

-- The first statement of every transaction that writes for an environment. The state is read after the lock was given,
-- with a new snapshot. Errors: TD421 it has departed, TD503 not now; the detail says more.
create function enter_environment(environment uuid) returns void language plpgsql volatile as $$
declare
  known text;
  held record;
begin
  -- As a condition, because that costs half as much as `perform`. It is never null.
  if pg_advisory_xact_lock_shared(environment_lock(environment)) is null then return; end if;
  select e.state into known from environment e where e.id = environment;
  -- Null: there is none. What is written for it refers to nothing, or is refused by its keys.
  if known is null or known = 'active' then return; end if;
  select effective_state(e.state, e.frozen_until) as state, e.generation, coalesce(e.cell, e.source_cell) as cell
    into held from environment e where e.id = environment;
  if held.state in ('active', 'draining') then return; end if;
  raise exception using
    errcode = case held.state when 'departed' then 'TD421' else 'TD503' end,
    message = 'environment ' || environment || ' is ' || held.state,
    detail = json_build_object('state', held.state, 'generation', held.generation, 'cell', held.cell)::text;
end $$;

-- The changes. Each waits for the writers in flight, but not for long: whoever comes meanwhile queues behind it.

-- Of one that is active here. Repeated, it renews the lease.
create function hold_environment(environment uuid, as_state text, lease interval)
  returns table (lsn pg_lsn, until timestamptz, generation integer)
  language plpgsql set lock_timeout = '2s' as $$
#variable_conflict use_column
begin
  -- First the loops, which may take longer: nobody else waits for them meanwhile.
  perform pg_advisory_xact_lock(loops_lock());
  perform pg_advisory_xact_lock(environment_lock(environment));
  return query
    update environment e set state = as_state, frozen_until = clock_timestamp() + lease,
      state_since = case when effective_state(e.state, e.frozen_until) = as_state then e.state_since else clock_timestamp() end
    where e.id = environment and e.state in ('active', 'draining', 'frozen')
    -- All that was committed before lies below it, also what is not flushed yet.
    returning pg_current_wal_insert_lsn(), e.frozen_until, e.generation;
end $$;

create function thaw_environment(environment uuid) returns boolean
  language plpgsql set lock_timeout = '2s' as $$
begin
  perform pg_advisory_xact_lock(environment_lock(environment));
  update environment e set state = 'active', state_since = clock_timestamp(), frozen_until = null
  where e.id = environment and e.state in ('draining', 'frozen');
  return found;
end $$;

-- The commit point of a move: true only while the freeze holds. A node remembers a state for a quarter of a second, so it
-- must have been frozen for half a second: this waits for the rest of it.
create function depart_environment(environment uuid, to_cell text) returns boolean
  language plpgsql set lock_timeout = '2s' as $$
declare
  rest interval;
begin
  select e.state_since + interval '500 ms' - clock_timestamp() into rest from environment e
  where e.id = environment and e.state = 'frozen';
  if rest > interval '0' then perform pg_sleep_for(rest); end if;
  perform pg_advisory_xact_lock(environment_lock(environment));
  update environment e set state = 'departed', state_since = clock_timestamp(), frozen_until = null, cell = to_cell,
    generation = e.generation + 1
  where e.id = environment and e.state = 'frozen' and effective_state(e.state, e.frozen_until) = 'frozen'
    and e.state_since + interval '500 ms' <= clock_timestamp();
  return found;
end $$;

-- Here it is active from now on. True also when it was that already.
create function activate_environment(environment uuid, as_generation integer) returns boolean
  language plpgsql set lock_timeout = '2s' as $$
begin
  perform pg_advisory_xact_lock(environment_lock(environment));
  update environment e set state = 'active', state_since = clock_timestamp(), source_cell = null, cell = null,
    generation = as_generation
  where e.id = environment and e.state = 'arriving' and e.generation < as_generation;
  return found or exists (
    select 1 from environment e where e.id = environment and e.generation = as_generation
      and e.state in ('active', 'draining', 'frozen'));
end $$;

-- Loops cross all environments. They share one lock for as long as their transaction lasts, and whoever freezes an
-- environment takes it alone: no loop that began before writes afterwards. Returns whom to pass over from now on.
create function enter_loops() returns uuid[] language plpgsql volatile as $$
begin
  perform pg_advisory_xact_lock_shared(loops_lock());
  return held_environments();
end $$;

-- The loops as they were, passing over those. A kept plan stays what it was: the ids are compared last.

create or replace function next_timers() returns table (message_at timestamptz, job_at timestamptz, is_paced boolean)
language plpgsql stable security definer
set search_path from current set enable_seqscan to off set plan_cache_mode to force_generic_plan as $$
declare
  held uuid[] := held_environments();
begin
  return query select
    (select m.retry_at from message m
      where m.retry_at is not null and m.environment_id <> all (held) order by m.retry_at limit 1),
    (select j.run_at from job j where j.run_at is not null and j.status = 'delayed' and j.environment_id <> all (held)
      order by j.run_at limit 1),
    exists (select 1 from integration_pace p where p.environment_id <> all (held));
end $$;

create or replace function claim_due_messages(moment timestamptz, again timestamptz, most integer)
  returns table (environment_id uuid, id uuid, integration_id uuid, priority smallint)
  language sql security definer set search_path from current
  set enable_hashjoin = off set enable_mergejoin = off set enable_seqscan = off
  as $$
    update message m set retry_at = again
    from (select d.environment_id, d.id from message d
      where d.retry_at <= moment and d.environment_id <> all ((select enter_loops())::uuid[])
      order by d.retry_at limit most for update skip locked) due
    where m.environment_id = due.environment_id and m.id = due.id
    returning m.environment_id, m.id, m.integration_id, m.priority
  $$;

create or replace function wake_due_jobs(moment timestamptz, most integer)
  returns table (environment_id uuid, id uuid, notification_id uuid)
  language plpgsql security definer set search_path from current
  set enable_seqscan = off set enable_bitmapscan = off set plan_cache_mode = force_generic_plan
  as $$
#variable_conflict use_column
declare
  held uuid[] := enter_loops();
  due record;
begin
  for due in
    select d.environment_id as env, array_agg(d.id) as ids, min(d.id::text)::uuid as first, max(d.id::text)::uuid as last,
      array_agg(d.id) filter (where d.type = 'digest') as digests
    from (
      select j.environment_id, j.id, j.type from job j
      where j.run_at <= moment and j.status = 'delayed' and j.environment_id <> all (held)
      order by j.run_at limit most for update skip locked) d
    group by d.environment_id
  loop
    return query
      update job j set run_at = null, updated_at = moment,
        status = case when j.type in ('delay', 'digest') then 'completed' else 'pending' end,
        details = j.details || jsonb_build_object('status', 'Success',
          'at', to_char(moment at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
          'detail', case j.type when 'delay' then 'Delay is over' when 'digest' then 'Digest is closed'
            else 'The subscriber''s schedule is open' end)
      where j.environment_id = due.env and j.id = any (due.ids)
        -- Weeks without any of them are left out.
        and j.id between due.first and due.last
      returning j.environment_id, j.id, j.notification_id;
    if due.digests is not null then
      execute 'delete from digest_window
        where environment_id = $1 and job_id = any ($2) and look_back_seconds is null' using due.env, due.digests;
      execute 'update digest_window set kind = ''lookback'', closes_at = $3 + look_back_seconds * interval ''1 second''
        where environment_id = $1 and job_id = any ($2) and look_back_seconds is not null' using due.env, due.digests, moment;
    end if;
  end loop;
end $$;

create or replace function release_paced_messages(again timestamptz, most integer)
  returns table (environment_id uuid, id uuid, integration_id uuid, priority smallint)
  language plpgsql security definer set search_path from current
  set enable_hashjoin = off set enable_mergejoin = off set enable_seqscan = off
  as $$
#variable_conflict use_column
declare
  held uuid[] := enter_loops();
  pace record;
  free double precision;
  taken integer;
begin
  for pace in
    select p.* from integration_pace p where p.paused_until <= clock_timestamp() and p.environment_id <> all (held) and exists (
      select 1 from paced_message l where l.environment_id = p.environment_id and l.integration_id = p.integration_id)
    order by p.environment_id, p.integration_id for update of p skip locked
  loop
    free := least(greatest(1, pace.rate / 2),
      pace.slots + pace.rate * extract(epoch from clock_timestamp() - pace.refilled_at));
    continue when free < 1;
    return query
      with first as materialized (
        select l.place, l.message_id from paced_message l
        where l.environment_id = pace.environment_id and l.integration_id = pace.integration_id
        order by l.place, l.message_id limit least(floor(free), most)),
      gone as (
        delete from paced_message l using first f where l.environment_id = pace.environment_id
          and l.integration_id = pace.integration_id and l.place = f.place and l.message_id = f.message_id)
      update message m set retry_at = again from first f
      where m.environment_id = pace.environment_id and m.id = f.message_id and m.delivery = 'open' and not m.in_flight
      returning m.environment_id, m.id, m.integration_id, m.priority;
    get diagnostics taken = row_count;
    update integration_pace p set slots = free - taken, refilled_at = clock_timestamp(),
      rate = p.rate + taken * case when p.rate between 0.8 * p.ceiling and 1.2 * p.ceiling then 0.03 else 0.25 end
    where p.environment_id = pace.environment_id and p.integration_id = pace.integration_id;
  end loop;
  -- Ten minutes without a 429 and nobody in line: it is learnt anew if need be.
  delete from integration_pace p
  where greatest(p.paused_until, p.slowed_at) < clock_timestamp() - interval '10 minutes'
    and p.environment_id <> all (held) and not exists (
    select 1 from paced_message l where l.environment_id = p.environment_id and l.integration_id = p.integration_id);
end $$;

create or replace function purge_windows(moment timestamptz, most integer) returns integer
  language sql security definer set search_path from current
  as $$
    with old_throttles as (
      delete from throttle_window t using (
        select o.environment_id, o.workflow_id, o.step_id, o.subscriber_id, o.key from throttle_window o
        where o.ends_at <= moment and o.environment_id <> all ((select enter_loops())::uuid[])
        order by o.ends_at limit most for update skip locked) o
      where (t.environment_id, t.workflow_id, t.step_id, t.subscriber_id, t.key)
        = (o.environment_id, o.workflow_id, o.step_id, o.subscriber_id, o.key) returning 1),
    old_lookbacks as (
      delete from digest_window w using (
        select o.environment_id, o.workflow_id, o.step_id, o.subscriber_id, o.key from digest_window o
        where o.kind = 'lookback' and o.closes_at <= moment
          and o.environment_id <> all ((select enter_loops())::uuid[])
        order by o.closes_at limit most for update skip locked) o
      where (w.environment_id, w.workflow_id, w.step_id, w.subscriber_id, w.key)
        = (o.environment_id, o.workflow_id, o.step_id, o.subscriber_id, o.key) returning 1)
    select (select count(*) from old_throttles)::integer + (select count(*) from old_lookbacks)::integer
  $$;

create or replace function fold_tallies(most integer) returns integer
  language sql security definer set search_path from current
  as $$
    with taken as (
      -- By their places: joined by the key, a long backlog would be read whole for every batch.
      delete from outcome_tally t where t.ctid = any (array(
        select o.ctid from outcome_tally o where o.environment_id <> all ((select enter_loops())::uuid[])
        order by o.environment_id, o.id limit most for update skip locked))
      returning t.*),
    added as (
      insert into outcome_rollup as r (environment_id, at, minutes, workflow_id, channel, provider_id, outcome, n)
      select environment_id, date_bin('1 minute', at, '2000-01-01 00:00+00'), 1, workflow_id, channel, provider_id, outcome, sum(n)
      from taken group by 1, 2, 3, 4, 5, 6, 7 order by 1, 2, 3, 4, 5, 6, 7
      on conflict (environment_id, at, minutes, workflow_id, channel, provider_id, outcome)
        do update set n = r.n + excluded.n),
    counted as (
      insert into outcome_folded as f (environment_id, tallies)
      select environment_id, count(*) from taken group by 1 order by 1
      on conflict (environment_id) do update set tallies = f.tallies + excluded.tallies)
    select count(*)::integer from taken
  $$;

create or replace function coarsen_rollups(before timestamptz, most integer) returns integer
  language sql security definer set search_path from current
  as $$
    with taken as (
      delete from outcome_rollup r where r.ctid = any (array(
        select o.ctid from outcome_rollup o
        where o.minutes = 1 and o.at < before and o.environment_id <> all ((select enter_loops())::uuid[])
        order by o.at limit most for update skip locked))
      returning r.*),
    added as (
      insert into outcome_rollup as r (environment_id, at, minutes, workflow_id, channel, provider_id, outcome, n)
      select environment_id, date_bin('1 hour', at, '2000-01-01 00:00+00'), 60, workflow_id, channel, provider_id, outcome,
        sum(n)
      from taken group by 1, 2, 3, 4, 5, 6, 7 order by 1, 2, 3, 4, 5, 6, 7
      on conflict (environment_id, at, minutes, workflow_id, channel, provider_id, outcome)
        do update set n = r.n + excluded.n)
    select count(*)::integer from taken
  $$;

create or replace function purge_rollups(before timestamptz, most integer) returns integer
  language sql security definer set search_path from current
  as $$
    with gone as (
      delete from outcome_rollup r where r.ctid = any (array(
        select o.ctid from outcome_rollup o
        where o.minutes = 60 and o.at < before and o.environment_id <> all ((select enter_loops())::uuid[])
        order by o.at limit most for update skip locked))
      returning 1)
    select count(*)::integer from gone
  $$;

create or replace function purge_callback_tokens(moment timestamptz, most integer) returns integer
  language sql security definer set search_path from current
  as $$
    with old as (
      delete from callback_token t using (
        select o.environment_id, o.integration_id, o.digest from callback_token o
        where o.expires_at <= moment and o.environment_id <> all ((select enter_loops())::uuid[])
        order by o.expires_at limit most for update skip locked) o
      where (t.environment_id, t.integration_id, t.digest) = (o.environment_id, o.integration_id, o.digest) returning 1)
    select count(*)::integer from old
  $$;

create or replace function claim_due_receipts(moment timestamptz, again timestamptz, most integer)
  returns table (environment_id uuid, integration_id uuid, ticket text, message_id uuid, target text, expires_at timestamptz)
  language sql security definer set search_path from current
  as $$
    with old as (
      delete from receipt r using (
        select o.environment_id, o.integration_id, o.ticket from receipt o
        where o.expires_at <= moment - interval '1 hour' and o.environment_id <> all ((select enter_loops())::uuid[])
        order by o.expires_at limit most for update skip locked) o
      where (r.environment_id, r.integration_id, r.ticket) = (o.environment_id, o.integration_id, o.ticket))
    update receipt r set due_at = again
    from (select d.environment_id, d.integration_id, d.ticket from receipt d where d.outcome is null and d.due_at <= moment
        and d.expires_at > moment - interval '1 hour' and d.environment_id <> all ((select enter_loops())::uuid[])
      order by d.due_at limit most for update skip locked) due
    where (r.environment_id, r.integration_id, r.ticket) = (due.environment_id, due.integration_id, due.ticket)
    returning r.environment_id, r.integration_id, r.ticket, r.message_id, r.target, r.expires_at
  $$;

create or replace function open_events(before timestamptz) returns table (environment_id uuid, id uuid)
  language sql stable security definer set search_path from current
  as $$ select e.environment_id, e.id from event e where e.state = 'accepted' and e.id < uuid_at(before)
    and e.environment_id <> all ((select held_environments())::uuid[]) $$;

create or replace function idle_notifications(before timestamptz) returns table (environment_id uuid, id uuid)
  language sql stable security definer set search_path from current set enable_nestloop = off
  as $$
    select distinct j.environment_id, j.notification_id from job j
    where j.status = 'pending' and j.updated_at < before and j.environment_id <> all ((select held_environments())::uuid[])
      and not exists (select 1 from job d
        where d.run_at is not null and d.environment_id = j.environment_id and d.notification_id = j.notification_id)
      and not exists (select 1 from message m
        where m.retry_at is not null and m.environment_id = j.environment_id and m.notification_id = j.notification_id)
  $$;

create or replace function next_environment(after uuid) returns uuid
  language sql stable security definer set search_path from current
  as $$ select min(id::text)::uuid from environment
    where (after is null or id > after) and id <> all ((select held_environments())::uuid[]) $$;

-- What nobody works on here counts as no backlog.
create or replace function watch_backlog(moment timestamptz, most integer)
  returns table (kind text, count integer, oldest timestamptz)
  language sql stable security definer set search_path from current
  set enable_seqscan = off set jit = off
  as $$
    select 'job', count(*)::integer, min(due.run_at) from (
      select j.run_at from job j where j.run_at <= moment and j.environment_id <> all ((select held_environments())::uuid[])
      order by j.run_at limit most) due
    union all
    select 'message', count(*)::integer, min(due.retry_at) from (
      select m.retry_at from message m where m.retry_at <= moment and m.environment_id <> all ((select held_environments())::uuid[])
      order by m.retry_at limit most) due
    union all
    select 'dead', count(*)::integer, null from (
      select 1 from message m where m.delivery = 'dead' and m.environment_id <> all ((select held_environments())::uuid[]) limit most) dead
  $$;

-- Dropping a week moves rows that stay, which whoever copies an environment would take for new ones. So the history of
-- all waits while one is on its way: into this cell, or out of it (mover's publications are named so).
create function is_moving() returns boolean language sql volatile
  as $$
    select exists (select 1 from environment e
        where e.state <> 'active' and effective_state(e.state, e.frozen_until) in ('arriving', 'draining', 'frozen'))
      or exists (select 1 from pg_publication p where p.pubname like 'tidings\_move%')
  $$;
