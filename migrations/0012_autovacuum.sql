-- Autovacuum for tables that grow by thousands of rows a second. By default it waits for a fifth of a table to be dead or
-- new and then rests after every few pages: a week of history would be cleaned once, for hours. Sooner and without rests
-- it is a few seconds at a time, and index-only reads and estimates stay good while a table grows.
create function vacuum_settings() returns text language sql immutable as $$
  select '(autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 5000,
    autovacuum_vacuum_insert_scale_factor = 0.05, autovacuum_vacuum_insert_threshold = 50000,
    autovacuum_analyze_scale_factor = 0.02, autovacuum_analyze_threshold = 5000, autovacuum_vacuum_cost_delay = 0)' $$;

-- As before, and with these settings.
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
      execute format('alter table %I set %s', name, vacuum_settings());
      execute format('lock table %I in access exclusive mode', parent || '_default');
      execute format('with moved as (delete from %I where id >= %L and id < %L returning *) insert into %I select * from moved',
        parent || '_default', uuid_at(week), uuid_at(week + interval '7 days'), name);
      execute format('alter table %I attach partition %I for values from %s', parent, name, bounds);
    end loop;
    week := week + interval '7 days';
  end loop;
end $$;

do $$
declare
  name text;
begin
  for name in select c.relname from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = any (array(select p::regclass from partitioned_parents() as p)) loop
    execute format('alter table %I set %s', name, vacuum_settings());
  end loop;
  execute format('alter table event_key set %s', vacuum_settings());
end $$;
