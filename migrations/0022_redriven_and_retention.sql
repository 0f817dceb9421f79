-- A message that is redriven waits to be sent again, although the step it belongs to may be over: one device of several
-- was reached. Retention looked at steps only, and dropped such a message with its week.

create or replace function choose_unfinished(week timestamptz) returns void language plpgsql set search_path from current as $$
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
      select m.environment_id, m.notification_id, m.event_id from %3$s m where m.retry_at is not null
      union
      select n.environment_id, n.id, n.event_id from %1$s n join pg_temp.chosen_event e
        on e.environment_id = n.environment_id and e.id = n.event_id) n',
    week_and_default('notification', week), week_and_default('job', week), week_and_default('message', week));
  insert into pg_temp.chosen_event select environment_id, event_id from pg_temp.chosen_notification
    except select environment_id, id from pg_temp.chosen_event;
  analyze pg_temp.chosen_event;
  analyze pg_temp.chosen_notification;
end $$;

-- What was redriven since the choice, by the index of the messages that wait: the lock is held meanwhile.
create function choose_redriven(week timestamptz) returns void language plpgsql set search_path from current as $$
begin
  if to_regclass(quote_ident(partition_name('message', week))) is null then return; end if;
  execute format('insert into pg_temp.chosen_notification
    select distinct m.environment_id, m.notification_id, m.event_id, same_time(m.notification_id, ''0''),
      same_time(m.notification_id, ''f'')
    from %I m where m.retry_at is not null and not exists (select 1 from pg_temp.chosen_notification k
      where k.environment_id = m.environment_id and k.id = m.notification_id)', partition_name('message', week));
  insert into pg_temp.chosen_event select environment_id, event_id from pg_temp.chosen_notification
    except select environment_id, id from pg_temp.chosen_event;
end $$;

-- One week of all of history, in the caller's transaction: detach, put back what is not finished, drop. Answers how many
-- notifications stay. What is unfinished is looked up before anything is locked: of what is finished only a message can
-- become unfinished again, by a redrive, and whatever is added meanwhile belongs to an event or a notification that is
-- chosen. The lock is asked for briefly, so that nobody queues behind us for long: on a busy table this fails and is
-- tried again later.
create or replace function drop_week(week timestamptz) returns integer
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
  perform choose_redriven(week);
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

create or replace function notification_stays(environment uuid, notification uuid, before timestamptz) returns boolean
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
  or exists (
    -- By the lists of its jobs: an event may have a million messages.
    select 1 from job j cross join unnest(j.message_ids) as made (id)
    join message m on m.environment_id = environment and m.id = made.id and m.retry_at is not null
    where j.environment_id = environment and j.notification_id = notification
      and j.id between same_time(notification, '0') and same_time(notification, 'f'))
$$;

-- What outlived its week goes when it has been finished since before `before`: a batch, answers how many notifications
-- and events went.
create or replace function purge_outlived(before timestamptz, batch integer) returns integer
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
      and not exists (select 1 from job j cross join unnest(j.message_ids) as made (id)
        join message m on m.environment_id = n.environment_id and m.id = made.id and m.retry_at is not null
        where j.environment_id = n.environment_id and j.id between same_time(n.id, '0') and same_time(n.id, 'f')
          and j.notification_id = n.id)
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
