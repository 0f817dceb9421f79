-- Under row-level security the work that belongs to no environment (timers, purges, the sweep, conserve) saw nothing: a
-- role that is not the owner sees the environment that its transaction has named, and this work names none. Now a
-- connection says that it does such work; a transaction that names an environment takes it back for its time.
create function is_system() returns boolean language sql stable
  as $$ select coalesce(current_setting('tidings.system', true), '') = 'on' $$;

do $$
declare
  tenant record;
begin
  for tenant in select tablename, qual from pg_policies where schemaname = current_schema() and policyname = 'tenant' loop
    execute format('alter policy tenant on %I using (%s or (select is_system()))', tenant.tablename, tenant.qual);
  end loop;
end $$;
create policy tenant on organization using ((select is_system()));

-- Retention of a week in which very many wait (a million long delays). Dropping it copies them to the default partition
-- under a lock that everybody waits for: for a million, half a minute. They cannot be moved there before the week is
-- detached, because a default partition takes no row of another partition's range. So such a week stays, and what is
-- finished is deleted from it, window by window and without any lock, until few enough wait for it to be dropped.
create function week_is_crowded(week timestamptz, most integer) returns boolean
language plpgsql stable security definer set search_path from current as $$
declare
  waiting integer;
begin
  if to_regclass(quote_ident(partition_name('job', week))) is null then return false; end if;
  execute format('select count(*) from (select 1 from %I where run_at is not null limit $1) waiting', partition_name('job', week))
    into waiting using most + 1;
  return waiting > most;
end $$;

-- How far the deletion from each such week has come: the table, counted from 1, and its last row.
create table week_purge (
  week timestamptz primary key,
  step integer not null default 1,
  after_environment uuid not null default '00000000-0000-0000-0000-000000000000',
  after_id uuid not null default '00000000-0000-0000-0000-000000000000',
  done_at timestamptz
);

-- True while a notification is needed: it waits, or was finished since `before`, or is part of a digest that waits.
-- Without a search path of its own: setting it for every row would cost as much as the look-up.
create function notification_stays(environment uuid, notification uuid, before timestamptz) returns boolean
language sql stable as $$
  select exists (
    select 1 from job j where j.environment_id = environment and j.notification_id = notification
      and j.id between same_time(notification, '0') and same_time(notification, 'f')
      and (j.status <> all (finished_statuses()) or j.updated_at >= before or exists (
        select 1 from job carrier where carrier.environment_id = environment and carrier.notification_id = j.merged_into
          and carrier.id between same_time(j.merged_into, '0') and same_time(j.merged_into, 'f')
          and carrier.status <> all (finished_statuses()))))
  or exists (
    select 1 from notification n join event e on e.environment_id = environment and e.id = n.event_id
    where n.environment_id = environment and n.id = notification and e.state = 'accepted')
$$;

-- Looks at the next rows of a crowded week and deletes those that nothing needs. Answers how many it looked at; 0 when
-- the week was looked through within a day. A notification and its jobs go together, after all that hangs on them.
create function purge_week(of_week timestamptz, before timestamptz, batch integer) returns integer
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
    when parent = 'event' then 'r.state = ''accepted'' or exists (select 1 from notification n where n.environment_id = r.environment_id
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
      where j.environment_id = gone.environment_id and j.notification_id = gone.id
        and j.id between same_time(gone.id, ''0'') and same_time(gone.id, ''f'')', partition_name('job', of_week))
      using gone_environments, gone_ids;
  end if;
  execute format('delete from %I r using unnest($1, $2) as gone (environment_id, id)
    where r.environment_id = gone.environment_id and r.id = gone.id', part) using gone_environments, gone_ids;
  update week_purge set after_environment = at.after_environment, after_id = at.after_id where week = of_week;
  return seen;
end $$;

create function has_column(relation text, name text) returns boolean language sql stable set search_path from current as $$
  select exists (select 1 from pg_attribute where attrelid = relation::regclass and attname = name and not attisdropped)
$$;
