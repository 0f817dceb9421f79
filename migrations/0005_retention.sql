-- Retention: history goes by the week, whole partitions at once. What is not finished stays (a delay of 366 days outlives
-- any retention): its rows move to the default partition, and leave that some time after they are finished.
--
-- The functions run as their owner: a worker under row-level security owns no table, yet must make and drop partitions.

-- What history consists of, from the catalogue: a table partitioned by id, with a default partition called <table>_default,
-- is covered whichever migration made it.
create function partitioned_parents() returns setof text language sql stable set search_path from current as $$
  select c.relname::text from pg_partitioned_table p join pg_class c on c.oid = p.partrelid
  where c.relnamespace = current_schema()::regnamespace
  order by array_position(array['event', 'notification', 'job', 'message'], c.relname::text) nulls last, c.relname
$$;

create function partition_name(parent text, week timestamptz) returns text language sql immutable
  as $$ select parent || '_' || to_char(week at time zone 'UTC', 'YYYYMMDD') $$;

-- Weekly partitions over a span of time, those that are missing. Rows of a week that had to go to the default partition
-- meanwhile (nobody had made theirs) move in. Where nothing is missing, nothing is locked.
create or replace function ensure_partitions(first timestamptz, last timestamptz) returns void
language plpgsql security definer set search_path from current as $$
declare
  week timestamptz := date_trunc('week', first at time zone 'UTC') at time zone 'UTC';
  parent text;
  name text;
  bounds text;
begin
  while week <= last loop
    bounds := format('(%L) to (%L)', uuid_at(week), uuid_at(week + interval '7 days'));
    foreach parent in array array(select partitioned_parents()) loop
      name := partition_name(parent, week);
      continue when to_regclass(quote_ident(name)) is not null;
      -- Weeks ahead there is no hurry: rather fail and come again than have everybody queue behind us.
      perform set_config('lock_timeout', '2s', true);
      execute format('create table %I (like %I including all)', name, parent);
      -- Without a policy of its own: through its parent it is read under the parent's, by its own name not at all.
      execute format('alter table %I enable row level security', name);
      execute format('lock table %I in access exclusive mode', parent || '_default');
      execute format('with moved as (delete from %I where id >= %L and id < %L returning *) insert into %I select * from moved',
        parent || '_default', uuid_at(week), uuid_at(week + interval '7 days'), name);
      execute format('alter table %I attach partition %I for values from %s', parent, name, bounds);
    end loop;
    week := week + interval '7 days';
  end loop;
end $$;

create function finished_statuses() returns text[] language sql immutable
  as $$ select array['completed', 'failed', 'skipped', 'canceled', 'merged'] $$;

-- The first and the last id of the millisecond an id was made in: a notification's jobs lie between them.
create function same_time(id uuid, filler text) returns uuid language sql immutable parallel safe
  as $$ select (left(id::text, 13) || regexp_replace('-xxxx-xxxx-xxxxxxxxxxxx', 'x', filler, 'g'))::uuid $$;

-- From which rows of `source` (a part of `parent`) those of chosen_event and chosen_notification are taken. Each is found
-- by an index. A table that does not say whose its rows are must not be dropped by the week.
create function chosen_rows(parent text, source text) returns text
language plpgsql stable set search_path from current as $$
declare
  columns text[] := array(select attname::text from pg_attribute where attrelid = parent::regclass and attnum > 0);
  owner text := 'pg_temp.chosen_notification k join ' || quote_ident(source) || ' r on r.environment_id = k.environment_id and ';
begin
  if parent = 'event' then
    return format('pg_temp.chosen_event k join %I r on r.environment_id = k.environment_id and r.id = k.id', source);
  elsif parent = 'notification' then
    return owner || 'r.id = k.id';
  elsif parent = 'job' then
    return owner || 'r.id between k.first_id and k.last_id and r.notification_id = k.id';
  elsif 'notification_id' = any (columns) then
    return owner || case when 'event_id' = any (columns) then 'r.event_id = k.event_id and ' else '' end || 'r.notification_id = k.id';
  elsif 'message_id' = any (columns) then
    return format('pg_temp.chosen_notification k
      join message m on m.environment_id = k.environment_id and m.event_id = k.event_id and m.notification_id = k.id
      join %I r on r.environment_id = m.environment_id and r.message_id = m.id', source);
  elsif 'job_id' = any (columns) then
    return format('pg_temp.chosen_notification k
      join job j on j.environment_id = k.environment_id and j.id between k.first_id and k.last_id and j.notification_id = k.id
      join %I r on r.environment_id = j.environment_id and r.job_id = j.id', source);
  end if;
  raise exception 'retention does not know whose the rows of % are', parent;
end $$;

-- A week of a table together with what outlived earlier weeks.
create function week_and_default(parent text, week timestamptz) returns text
language sql stable set search_path from current as $$
  select format('(select * from %I', parent || '_default')
    || case when to_regclass(quote_ident(partition_name(parent, week))) is null then ''
       else format(' union all select * from %I', partition_name(parent, week)) end || ')'
$$;

-- Events that still have people to reach, and notifications with a step that is not over, into the two chosen_ tables.
create function choose_unfinished(week timestamptz) returns void language plpgsql set search_path from current as $$
begin
  drop table if exists pg_temp.chosen_event, pg_temp.chosen_notification;
  execute format('create temp table chosen_event on commit drop as
    select e.environment_id, e.id from %s e where e.state = ''accepted''', week_and_default('event', week));
  execute format('create temp table chosen_notification on commit drop as
    select n.environment_id, n.id, n.event_id, same_time(n.id, ''0'') as first_id, same_time(n.id, ''f'') as last_id from (
      select n.environment_id, n.id, n.event_id from %1$s n join %2$s j
        on j.environment_id = n.environment_id and j.notification_id = n.id and j.status <> all (finished_statuses())
      union
      -- What was merged into a digest is needed for as long as that one is not finished.
      select n.environment_id, n.id, n.event_id from %1$s n join %2$s j
        on j.environment_id = n.environment_id and j.notification_id = n.id and j.merged_into is not null
      join job carrier on carrier.environment_id = j.environment_id and carrier.notification_id = j.merged_into
        and carrier.id between same_time(j.merged_into, ''0'') and same_time(j.merged_into, ''f'')
        and carrier.status <> all (finished_statuses())
      union
      select n.environment_id, n.id, n.event_id from %1$s n join pg_temp.chosen_event e
        on e.environment_id = n.environment_id and e.id = n.event_id) n',
    week_and_default('notification', week), week_and_default('job', week));
  insert into pg_temp.chosen_event select environment_id, event_id from pg_temp.chosen_notification
    except select environment_id, id from pg_temp.chosen_event;
  analyze pg_temp.chosen_event;
  analyze pg_temp.chosen_notification;
end $$;

-- One week of all of history, in the caller's transaction: detach, put back what is not finished, drop. Answers how many
-- notifications stay. What is unfinished is looked up before anything is locked: nothing finished ever becomes unfinished
-- again, and whatever is added meanwhile belongs to an event or a notification that is chosen. The lock is asked for
-- briefly, so that nobody queues behind us for long: on a busy table this fails and is tried again later.
create function drop_week(week timestamptz) returns integer
language plpgsql security definer set search_path from current as $$
declare
  parents text[] := array(select p from partitioned_parents() p where to_regclass(quote_ident(partition_name(p, week))) is not null);
  parent text;
  name text;
  columns text;
begin
  if week + interval '7 days' > now() then raise exception 'the week of % is not over', week; end if;
  perform choose_unfinished(week);
  perform set_config('lock_timeout', '500ms', true);
  execute 'lock table only ' || array_to_string(array(select quote_ident(p) from unnest(parents) p), ', only ') || ' in access exclusive mode';
  foreach parent in array parents loop
    name := partition_name(parent, week);
    select string_agg(quote_ident(attname), ', ' order by attnum) into columns
      from pg_attribute where attrelid = parent::regclass and attnum > 0 and not attisdropped;
    execute format('alter table %I detach partition %I', parent, name);
    execute format('insert into %I (%s) select %s from %s', parent, columns,
      'r.' || replace(columns, ', ', ', r.'), chosen_rows(parent, name));
  end loop;
  foreach parent in array parents loop
    execute format('drop table %I', partition_name(parent, week));
  end loop;
  return (select count(*) from pg_temp.chosen_notification where id >= uuid_at(week) and id < uuid_at(week + interval '7 days'));
end $$;

-- What outlived its week goes when it has been finished since before `before`: a batch, answers how many notifications
-- and events went.
create function purge_outlived(before timestamptz, batch integer) returns integer
language plpgsql security definer set search_path from current as $$
declare
  parent text;
  gone integer;
begin
  drop table if exists pg_temp.chosen_notification;
  create temp table chosen_notification on commit drop as
    select n.environment_id, n.id, n.event_id, same_time(n.id, '0') as first_id, same_time(n.id, 'f') as last_id
    from notification_default n
    where n.id < uuid_at(before)
      and not exists (select 1 from event e
        where e.environment_id = n.environment_id and e.id = n.event_id and e.state = 'accepted')
      and not exists (select 1 from job j
        where j.environment_id = n.environment_id and j.id between same_time(n.id, '0') and same_time(n.id, 'f')
          and j.notification_id = n.id and (j.status <> all (finished_statuses()) or j.updated_at >= before
            or exists (select 1 from job carrier
              where carrier.environment_id = j.environment_id and carrier.notification_id = j.merged_into
                and carrier.id between same_time(j.merged_into, '0') and same_time(j.merged_into, 'f')
                and carrier.status <> all (finished_statuses()))))
    order by n.id limit batch;
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

-- The transactionIds of events that are gone are found by the events' time.
create index event_key_event on event_key (event_id);

-- Erasure finds events by whom they name. Few have an actor; canceled ones may name people they never reached.
create index event_actor on event (environment_id, (actor->>'subscriberId'), id) where actor is not null;
create index event_canceled on event (environment_id, id) where state = 'canceled';
