-- Large sends: they begin with a few people, stop by themselves, and can be paused, resumed and canceled exactly.

-- All locks first; nothing is rewritten.
lock table event, environment in access exclusive mode;

-- held: its first people are written, the others wait. paused: all of it stands still. Whoever expands, counts or sweeps events asks for 'accepted' and passes it
-- over, also nodes of the version before. The rows there are satisfy it: the condition before allowed less.
alter table event drop constraint event_state_check,
  add constraint event_state_check check (state in ('accepted', 'expanded', 'canceled', 'held', 'paused')) not valid;

-- What large sends of the environment are bounded by; what is absent is as by default.
alter table environment add column send_bounds jsonb not null default '{}';

-- Until when its work waits behind that of others, since when and why. Null: it never did.
alter table environment add column slowed jsonb;

-- As before (0042), with one column more.
drop function environments_of(uuid);
create function environments_of(organization uuid)
  returns table (id uuid, organization_id uuid, name text, identifier text, slug text, color text, type text,
    parent_id uuid, protected boolean, deleted_at timestamptz, purged_after timestamptz, is_elsewhere boolean, slowed jsonb)
  language sql stable security definer set search_path from current
  as $$
    select e.id, e.organization_id, e.name, e.identifier, e.slug, e.color, e.type, e.parent_id, e.protected,
      e.deleted_at, e.purged_after, e.state in ('departed', 'arriving') and e.deleted_at is null, e.slowed
    from environment e where e.organization_id = organization order by e.id
  $$;

-- An event to more people than one page of the expansion holds, or one that somebody paused.
create table send (
  environment_id uuid not null references environment,
  -- That of its event.
  id uuid not null,
  transaction_id text not null,
  workflow_id uuid not null,
  kind text not null check (kind in ('broadcast', 'topic', 'list')),
  state text not null check (state in ('running', 'canary', 'waiting', 'paused', 'canceling', 'canceled', 'done')),
  since timestamptz(3) not null,
  -- Why it stands, as a code and in words.
  reason text,
  reason_text text,
  -- When it goes on by itself.
  resumes_at timestamptz(3),
  -- When it is looked at, if nothing happens to it before.
  look_at timestamptz(3),
  -- The state of its event while that is `held`, and that it gets back.
  event_was text check (event_was in ('accepted', 'expanded')),
  -- People it is for, counted as it began. Null: it has not begun.
  total integer,
  -- With so many people it begins. Null: with all of them.
  canary_people integer,
  -- After so many it waits. Null: it does not, or no more.
  canary_until integer,
  -- As they were when it began. Null: nobody stops it but a person.
  bounds jsonb,
  -- All that happened to it stands in send_tally and send_total. Of others the rows are counted.
  counted boolean not null,
  -- What is remembered to judge it by.
  judged jsonb not null default '{}',
  -- A cancel goes on behind this notification.
  canceled_after uuid,
  -- People whom a cancel left out. Null: there was none.
  left_out integer,
  -- What became of it when, by whom and why, the newest last.
  history jsonb not null default '[]',
  primary key (environment_id, id)
);
alter table send set (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 200, fillfactor = 50);
create index send_stopped on send (environment_id) where state in ('paused', 'canceling');
create index send_due on send (look_at) where look_at is not null;
alter table send enable row level security;
create policy tenant on send
  using (environment_id = (select current_environment()) or (select is_system()));

-- What happened to the messages and steps of a send: rows of the transaction in which it happened, added up later. `open`:
-- messages that are to be sent; it goes down as they end.
create table send_tally (
  environment_id uuid not null,
  send_id uuid not null,
  -- One for each transaction.
  id uuid not null,
  channel text not null,
  outcome text not null,
  n integer not null,
  primary key (environment_id, send_id, id, channel, outcome)
);
alter table send_tally set (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 2000);
alter table send_tally enable row level security;
create policy tenant on send_tally
  using (environment_id = (select current_environment()) or (select is_system()));

create table send_total (
  environment_id uuid not null,
  send_id uuid not null,
  channel text not null,
  outcome text not null,
  n bigint not null,
  primary key (environment_id, send_id, channel, outcome)
);
alter table send_total set (fillfactor = 50);
alter table send_total enable row level security;
create policy tenant on send_total
  using (environment_id = (select current_environment()) or (select is_system()));

-- Messages and notifications that came to be sent, or to go on, while their send stood still. They go on when it does.
create table held_item (
  environment_id uuid not null,
  send_id uuid not null,
  id uuid not null,
  kind text not null check (kind in ('message', 'notification')),
  held_at timestamptz(3) not null,
  primary key (environment_id, send_id, id)
);
alter table held_item set (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 2000);
alter table held_item enable row level security;
create policy tenant on held_item
  using (environment_id = (select current_environment()) or (select is_system()));

-- Tries of an environment share this lock while they are committed; whoever stops or resumes a send takes it alone. So
-- a try is committed before the stop, or sees it.
create function door_lock(environment uuid) returns bigint language sql immutable
  as $$ select hashtextextended('door ' || environment, 0) $$;

-- The sends of which nothing may begin now; until the transaction ends there are no others. The state is read after the
-- lock was given, with a new snapshot.
create function enter_door(environment uuid) returns uuid[] language plpgsql volatile as $$
declare
  held uuid[];
begin
  -- As a condition, because that costs half as much as `perform`. It is never null.
  if pg_advisory_xact_lock_shared(door_lock(environment)) is null then return null; end if;
  select array_agg(s.id) into held from send s
  where s.environment_id = environment and s.state in ('paused', 'canceling');
  return coalesce(held, '{}');
end $$;

-- Sends that are due, and those of which something is to be added up.
create function sends_to_watch(moment timestamptz, most integer) returns table (environment_id uuid, id uuid)
  language sql stable security definer set search_path from current
  as $$
    select s.environment_id, s.id from send s
    where s.look_at <= moment and s.environment_id <> all ((select held_environments())::uuid[])
    union
    select t.environment_id, t.send_id from send_tally t
    where t.environment_id <> all ((select held_environments())::uuid[])
    limit most
  $$;

-- Sends that are over and whose events are gone.
create function purge_sends(before timestamptz, most integer) returns integer
  language sql security definer set search_path from current
  as $$
    with old as (
      delete from send s using (
        select o.environment_id, o.id from send o
        where o.id < uuid_at(before) and o.state in ('canceled', 'done')
          and o.environment_id <> all ((select enter_loops())::uuid[])
          and not exists (select 1 from event e where e.environment_id = o.environment_id and e.id = o.id)
        limit most for update skip locked) o
      where (s.environment_id, s.id) = (o.environment_id, o.id) returning s.environment_id, s.id),
    totals as (
      delete from send_total t using old where (t.environment_id, t.send_id) = (old.environment_id, old.id)),
    tallies as (
      delete from send_tally t using old where (t.environment_id, t.send_id) = (old.environment_id, old.id)),
    held as (
      delete from held_item h using old where (h.environment_id, h.send_id) = (old.environment_id, old.id))
    select count(*)::integer from old
  $$;

-- What a stopped send holds is not idle.
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
  $$;

-- An event that is held is not over: as before, with one word more.

create or replace function notification_stays(environment uuid, notification uuid, before timestamptz) returns boolean
language sql stable as $$
  select exists (
    select 1 from jobs_of(environment, array[notification]) k join job j on j.environment_id = environment and j.id = k.id
    where j.status <> all (finished_statuses()) or j.updated_at >= before or (j.merged_into is not null and exists (
      select 1 from jobs_of(environment, array[j.merged_into]) c
      join job carrier on carrier.environment_id = environment and carrier.id = c.id
      where carrier.status <> all (finished_statuses()))))
  or exists (
    select 1 from notification n join event e on e.environment_id = environment and e.id = n.event_id
    where n.environment_id = environment and n.id = notification and e.state in ('accepted', 'held', 'paused'))
  or exists (
    -- By the lists of its jobs: an event may have a million messages.
    select 1 from jobs_of(environment, array[notification]) k join job j on j.environment_id = environment and j.id = k.id
    cross join unnest(j.message_ids) as made (id)
    join message m on m.environment_id = environment and m.id = made.id and m.retry_at is not null)
$$;

create or replace function choose_unfinished(week timestamptz) returns void language plpgsql set search_path from current as $$
begin
  drop table if exists pg_temp.chosen_event, pg_temp.chosen_notification, pg_temp.chosen_job;
  execute format('create temp table chosen_event on commit drop as
    select e.environment_id, e.id from %s e where e.state in (''accepted'', ''held'', ''paused'')', week_and_default('event', week));
  execute format('create temp table chosen_notification on commit drop as
    select n.environment_id, n.id, n.event_id from (
      select n.environment_id, n.id, n.event_id from %1$s n join %2$s j
        on j.environment_id = n.environment_id and j.notification_id = n.id and j.status <> all (finished_statuses())
      union
      -- What was merged into a digest is needed for as long as that one is not finished.
      select n.environment_id, n.id, n.event_id from %1$s n join %2$s j
        on j.environment_id = n.environment_id and j.notification_id = n.id
      join (
        select distinct m.environment_id, k.notification_id
        from (select environment_id, array_agg(distinct merged_into) as ids from %2$s m
          where merged_into is not null group by 1) m
        cross join lateral jobs_of(m.environment_id, m.ids) k
        join job carrier on carrier.environment_id = m.environment_id and carrier.id = k.id
        where carrier.status <> all (finished_statuses())) waits
        on waits.environment_id = j.environment_id and waits.notification_id = j.merged_into
      union
      select m.environment_id, m.notification_id, m.event_id from %3$s m where m.retry_at is not null
      union
      select n.environment_id, n.id, n.event_id from %1$s n join pg_temp.chosen_event e
        on e.environment_id = n.environment_id and e.id = n.event_id) n',
    week_and_default('notification', week), week_and_default('job', week), week_and_default('message', week));
  insert into pg_temp.chosen_event select environment_id, event_id from pg_temp.chosen_notification
    except select environment_id, id from pg_temp.chosen_event;
  create temp table chosen_job on commit drop as
    select c.environment_id, k.notification_id, k.id
    from (select n.environment_id, array_agg(n.id) as ids from pg_temp.chosen_notification n group by 1) c
    cross join lateral jobs_of(c.environment_id, c.ids) k;
  analyze pg_temp.chosen_event;
  analyze pg_temp.chosen_notification;
  analyze pg_temp.chosen_job;
end $$;

create or replace function purge_outlived(before timestamptz, batch integer) returns integer
language plpgsql security definer set search_path from current as $$
declare
  parent text;
  gone integer;
begin
  drop table if exists pg_temp.chosen_notification, pg_temp.chosen_job;
  create temp table chosen_notification on commit drop as
    select n.environment_id, n.id, n.event_id from notification_default n
    where n.id < uuid_at(before) and not notification_stays(n.environment_id, n.id, before)
    order by n.id limit batch;
  create temp table chosen_job on commit drop as
    select c.environment_id, k.notification_id, k.id
    from (select n.environment_id, array_agg(n.id) as ids from pg_temp.chosen_notification n group by 1) c
    cross join lateral jobs_of(c.environment_id, c.ids) k;
  -- The last first: some are found through the message they belong to.
  for parent in select p from partitioned_parents() with ordinality as t (p, n) where p <> 'event' order by n desc loop
    execute format('delete from %1$I d using (select r.environment_id, r.id from %2$s) gone
      where d.environment_id = gone.environment_id and d.id = gone.id',
      parent || '_default', chosen_rows(parent, parent || '_default'));
  end loop;
  select count(*) into gone from pg_temp.chosen_notification;
  with old as (
    select e.environment_id, e.id from event_default e
    where e.id < uuid_at(before) and e.state not in ('accepted', 'held', 'paused') and not exists (
      select 1 from notification n where n.environment_id = e.environment_id
        and n.id between same_time(e.id, '0') and same_time(e.id, 'f') and n.event_id = e.id)
    order by e.id limit batch)
  delete from event_default e using old where e.environment_id = old.environment_id and e.id = old.id;
  return gone;
end $$;

create or replace function purge_week(of_week timestamptz, before timestamptz, batch integer) returns integer
language plpgsql security definer set search_path from current as $$
declare
  steps text[] := array(select p from partitioned_parents() with ordinality as t (p, n) where p not in ('event', 'notification', 'job') order by n desc)
    || array['notification', 'event'];
  at week_purge;
  parent text;
  part text;
  owner text;
  seen integer;
  gone_environments uuid[];
  gone_ids uuid[];
begin
  insert into week_purge (week) values (of_week) on conflict do nothing;
  select * into at from week_purge where week = of_week for update;
  if at.done_at > now() - interval '1 day' then return 0; end if;
  if at.done_at is not null then
    update week_purge set (step, after_environment, after_id, done_at) = (select 1, z, z, null from
      (select '00000000-0000-0000-0000-000000000000'::uuid as z) zero) where week = of_week returning * into at;
  end if;
  parent := steps[at.step];
  part := partition_name(parent, of_week);
  owner := case
    when parent = 'event' then 'r.state in (''accepted'', ''held'', ''paused'') or exists (select 1 from notification n where n.environment_id = r.environment_id
      and n.id between same_time(r.id, ''0'') and same_time(r.id, ''f'') and n.event_id = r.id)'
    when parent = 'notification' then 'notification_stays(r.environment_id, r.id, $4)'
    when has_column(parent, 'notification_id') then 'notification_stays(r.environment_id, r.notification_id, $4)'
    when has_column(parent, 'message_id') then 'exists (select 1 from message m where m.environment_id = r.environment_id
      and m.id = r.message_id and notification_stays(m.environment_id, m.notification_id, $4))'
    else 'exists (select 1 from job j where j.environment_id = r.environment_id and j.id = r.job_id
      and notification_stays(j.environment_id, j.notification_id, $4))' end;
  seen := 0;
  if to_regclass(quote_ident(part)) is not null then
    execute format('with looked_at as (
        select r.environment_id, r.id, %s as stays from %I r where (r.environment_id, r.id) > ($1, $2)
        order by r.environment_id, r.id limit $3)
      select count(*), (array_agg(environment_id order by environment_id desc, id desc))[1],
        (array_agg(id order by environment_id desc, id desc))[1],
        array_agg(environment_id) filter (where not stays), array_agg(id) filter (where not stays) from looked_at', owner, part)
      into seen, at.after_environment, at.after_id, gone_environments, gone_ids
      using at.after_environment, at.after_id, batch, before;
  end if;
  if seen = 0 then
    update week_purge set step = step + 1, after_environment = '00000000-0000-0000-0000-000000000000',
      after_id = '00000000-0000-0000-0000-000000000000',
      done_at = case when step = cardinality(steps) then now() end where week = of_week;
    return 1;
  end if;
  if parent = 'notification' then
    execute format('delete from %I j using unnest($1, $2) as gone (environment_id, id)
      cross join lateral jobs_of(gone.environment_id, array[gone.id]) k
      where j.environment_id = gone.environment_id and j.id = k.id', partition_name('job', of_week))
      using gone_environments, gone_ids;
  end if;
  execute format('delete from %I r using unnest($1, $2) as gone (environment_id, id)
    where r.environment_id = gone.environment_id and r.id = gone.id', part) using gone_environments, gone_ids;
  update week_purge set after_environment = at.after_environment, after_id = at.after_id where week = of_week;
  return seen;
end $$;
