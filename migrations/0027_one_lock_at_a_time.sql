-- Who changes the tables of history must never wait for one table while everybody waits for another that it holds already:
-- PostgreSQL then ends one of the two, and it may be a request. A partition is made in a transaction of its own, and a
-- week that is dropped asks for its four locks in less time than PostgreSQL waits before it looks for a deadlock (1 s).

create function missing_partitions(first timestamptz, last timestamptz) returns table (parent text, week timestamptz)
language sql stable set search_path from current as $$
  select p, w
  from generate_series(date_trunc('week', first, 'UTC'), last, interval '7 days') w cross join partitioned_parents() p
  where to_regclass(quote_ident(partition_name(p, w))) is null
  order by w
$$;

create function make_partition(parent text, week timestamptz) returns void
language plpgsql security definer set search_path from current as $$
declare
  name text := partition_name(parent, week);
  after timestamptz := week + interval '7 days';
begin
  if not exists (select 1 from partitioned_parents() p where p = parent) or week <> date_trunc('week', week, 'UTC') then
    raise exception 'there are no partitions of % that begin at %', parent, week;
  end if;
  -- Weeks ahead there is no hurry: rather fail and come again than have everybody queue behind us.
  perform set_config('lock_timeout', '2s', true);
  -- Of two nodes the second waits here, and finds it made.
  execute format('lock table only %I in share update exclusive mode', parent);
  if to_regclass(quote_ident(name)) is not null then return; end if;
  execute format('create table %I (like %I including all)', name, parent);
  -- Without a policy of its own: through its parent it is read under the parent's, by its own name not at all.
  execute format('alter table %I enable row level security', name);
  execute format('alter table %I set %s', name, vacuum_settings());
  execute format('lock table %I in access exclusive mode', parent || '_default');
  execute format('with moved as (delete from %I where id >= %L and id < %L returning *) insert into %I select * from moved',
    parent || '_default', uuid_at(week), uuid_at(after), name);
  execute format('alter table %I attach partition %I for values from (%L) to (%L)', parent, name, uuid_at(week), uuid_at(after));
end $$;

-- Called by nodes of the version before, until the last of them is gone.
create or replace function ensure_partitions(first timestamptz, last timestamptz) returns void
language sql security definer set search_path from current as $$
  select make_partition(parent, week) from missing_partitions(first, last)
$$;

create or replace function drop_week(week timestamptz) returns integer
language plpgsql security definer set search_path from current as $$
declare
  parents text[] := array(select p from partitioned_parents() p where to_regclass(quote_ident(partition_name(p, week))) is not null);
  parent text;
  name text;
  columns text;
  latest timestamptz;
begin
  if week + interval '7 days' > now() then raise exception 'the week of % is not over', week; end if;
  perform choose_unfinished(week);
  perform set_config('lock_timeout', '500ms', true);
  foreach parent in array parents loop
    execute format('lock table only %I in access exclusive mode', parent);
    -- From the first lock on others may wait for us: the rest of them within 900 ms.
    latest := coalesce(latest, clock_timestamp() + interval '900 ms');
    perform set_config('lock_timeout', greatest(1, extract(epoch from latest - clock_timestamp()) * 1000)::integer || 'ms', true);
  end loop;
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
