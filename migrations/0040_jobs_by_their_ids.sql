-- The jobs of a notification were looked for among all of its millisecond. Those of one event share it: with a hundred
-- thousand people, whoever asked for the jobs of each read ten thousand million rows. Their ids can be computed instead.

-- As jobId() and attemptId() do it: the time of what it belongs to, and a digest. Lengths are counted as JavaScript does,
-- where what lies beyond U+FFFF (an emoji in a stepId) has a length of two.
create function derived_id(kind text, of_id uuid, part text) returns uuid language plpgsql immutable parallel safe as $$
declare
  units integer := case when octet_length(part) = length(part) then length(part)
    else 2 * length(part) - length(regexp_replace(part, '[\U00010000-\U0010ffff]', '', 'g')) end;
  digest bytea := sha256(convert_to(length(kind) || ':' || kind || '36:' || of_id || units || ':' || part, 'UTF8'));
  hex text := encode(set_byte(digest, 1, get_byte(digest, 1) & 243 | 8), 'hex');
begin
  return left(of_id::text, 13) || '7' || left(hex, 19);
end $$;

-- The jobs these notifications have, or will have. The steps of a version are read once.
create function jobs_of(environment uuid, notifications uuid[]) returns table (notification_id uuid, id uuid)
language sql stable rows 200 as $$
  with own as materialized (
    select n.id, n.workflow_id, n.workflow_version from unnest(notifications) as given (id)
    cross join lateral (select r.id, r.workflow_id, r.workflow_version from notification r
      where r.environment_id = environment and r.id = given.id offset 0) n),
  step as materialized (
    select v.workflow_id, v.version, s ->> 'stepId' as id
    from (select distinct o.workflow_id, o.workflow_version from own o) used
    join workflow_version v on v.environment_id = environment and v.workflow_id = used.workflow_id
      and v.version = used.workflow_version
    cross join lateral jsonb_array_elements(v.definition -> 'steps') s)
  select own.id, derived_id('job', own.id, step.id)
  from own join step on step.workflow_id = own.workflow_id and step.version = own.workflow_version
$$;

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
    where n.environment_id = environment and n.id = notification and e.state = 'accepted')
  or exists (
    -- By the lists of its jobs: an event may have a million messages.
    select 1 from jobs_of(environment, array[notification]) k join job j on j.environment_id = environment and j.id = k.id
    cross join unnest(j.message_ids) as made (id)
    join message m on m.environment_id = environment and m.id = made.id and m.retry_at is not null)
$$;

-- What is unfinished, and the ids of its jobs, are looked up before anything is locked.
create or replace function choose_unfinished(week timestamptz) returns void language plpgsql set search_path from current as $$
begin
  drop table if exists pg_temp.chosen_event, pg_temp.chosen_notification, pg_temp.chosen_job;
  execute format('create temp table chosen_event on commit drop as
    select e.environment_id, e.id from %s e where e.state = ''accepted''', week_and_default('event', week));
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

create or replace function choose_redriven(week timestamptz) returns void language plpgsql set search_path from current as $$
begin
  if to_regclass(quote_ident(partition_name('message', week))) is null then return; end if;
  execute format('with added as (
      insert into pg_temp.chosen_notification
      select distinct m.environment_id, m.notification_id, m.event_id from %I m
      where m.retry_at is not null and not exists (select 1 from pg_temp.chosen_notification k
        where k.environment_id = m.environment_id and k.id = m.notification_id)
      returning environment_id, id)
    insert into pg_temp.chosen_job
    select added.environment_id, k.notification_id, k.id from added
    cross join lateral jobs_of(added.environment_id, array[added.id]) k', partition_name('message', week));
  insert into pg_temp.chosen_event select environment_id, event_id from pg_temp.chosen_notification
    except select environment_id, id from pg_temp.chosen_event;
end $$;

create or replace function chosen_rows(parent text, source text) returns text
language plpgsql stable set search_path from current as $$
declare
  -- Those of an event are read once, however many of its notifications are chosen.
  messages text := '(select distinct environment_id, event_id from pg_temp.chosen_notification) e
    join %I m on m.environment_id = e.environment_id and m.event_id = e.event_id
    join pg_temp.chosen_notification k on k.environment_id = m.environment_id and k.id = m.notification_id';
begin
  if parent = 'event' then
    return format('pg_temp.chosen_event k join %I r on r.environment_id = k.environment_id and r.id = k.id', source);
  elsif parent = 'notification' then
    return format('pg_temp.chosen_notification k join %I r on r.environment_id = k.environment_id and r.id = k.id', source);
  elsif parent = 'job' then
    return format('pg_temp.chosen_job k join %I r on r.environment_id = k.environment_id and r.id = k.id', source);
  elsif parent = 'message' then
    return format('(select m.* from ' || messages || ') r', source);
  elsif parent = 'attempt' then
    return format(messages || ' cross join generate_series(1, m.attempts) as try (number)
      join %I r on r.environment_id = m.environment_id and r.id = derived_id(''attempt'', m.id, try.number::text)', 'message', source);
  elsif has_column(parent, 'message_id') then
    return format(messages || ' join %I r on r.environment_id = m.environment_id and r.message_id = m.id', 'message', source);
  elsif has_column(parent, 'job_id') then
    return format('pg_temp.chosen_job k join %I r on r.environment_id = k.environment_id and r.job_id = k.id', source);
  end if;
  raise exception 'retention does not know whose the rows of % are', parent;
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
    where e.id < uuid_at(before) and e.state <> 'accepted' and not exists (
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
      cross join lateral jobs_of(gone.environment_id, array[gone.id]) k
      where j.environment_id = gone.environment_id and j.id = k.id', partition_name('job', of_week))
      using gone_environments, gone_ids;
  end if;
  execute format('delete from %I r using unnest($1, $2) as gone (environment_id, id)
    where r.environment_id = gone.environment_id and r.id = gone.id', part) using gone_environments, gone_ids;
  update week_purge set after_environment = at.after_environment, after_id = at.after_id where week = of_week;
  return seen;
end $$;
