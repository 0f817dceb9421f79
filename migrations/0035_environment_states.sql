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

-- The first statement of every transaction that writes for an environment. The state is read after the lock was given,
-- with a new snapshot. Errors: TD421 it has departed, TD503 not now; the detail says more.
create function enter_environment(environment uuid) returns void language plpgsql volatile as $$
declare
  found_row environment;
  now_in text;
begin
  perform pg_advisory_xact_lock_shared(environment_lock(environment));
  select * into found_row from environment e where e.id = environment;
  -- None: what is written for it refers to nothing, or is refused by its keys.
  if not found or found_row.state = 'active' then return; end if;
  now_in := effective_state(found_row.state, found_row.frozen_until);
  if now_in in ('active', 'draining') then return; end if;
  raise exception using
    errcode = case now_in when 'departed' then 'TD421' else 'TD503' end,
    message = 'environment ' || environment || ' is ' || now_in,
    detail = json_build_object('state', now_in, 'generation', found_row.generation,
      'cell', coalesce(found_row.cell, found_row.source_cell))::text;
end $$;

-- The changes. Each waits for the writers in flight, but not for long: whoever comes meanwhile queues behind it.

-- Of one that is active here. Repeated, it renews the lease.
create function hold_environment(environment uuid, as_state text, lease interval)
  returns table (lsn pg_lsn, until timestamptz, generation integer)
  language plpgsql set lock_timeout = '2s' as $$
#variable_conflict use_column
begin
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
