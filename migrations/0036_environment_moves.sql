-- Moving an environment to another cell: what the mover keeps, so that it can be killed at any moment and run again.

-- One row for each environment that was moved from here, or is being moved. It stays in the cell that is left.
create table environment_move (
  environment_id uuid primary key,
  from_cell text not null,
  to_cell text not null,
  -- copying: nothing has happened to the environment yet. departed: the commit point is passed. finished: it works in its
  -- new cell. compared: every row was compared. forgotten: its rows here are deleted.
  step text not null check (step in ('copying', 'departed', 'finished', 'compared', 'forgotten')),
  started_at timestamptz(3) not null default now(),
  departed_at timestamptz(3),
  changed_at timestamptz(3) not null default now(),
  -- The subscription's number and the target's system identifier: names of slots are made of them.
  subscription_oid bigint,
  target_system text,
  -- How long each part took, and what the comparison found.
  report jsonb not null default '{}'
);
alter table environment_move enable row level security;
create policy tenant on environment_move
  using (environment_id = (select current_environment()) or (select is_system()));

-- A row that is changed last, and published with the others: when the new cell shows the same marker, it has everything
-- that was committed before. The subscription's own report of its place comes much later.
create table move_marker (
  environment_id uuid primary key,
  marker uuid not null
);
alter table move_marker enable row level security;
create policy tenant on move_marker
  using (environment_id = (select current_environment()) or (select is_system()));

-- As fold_tallies, of one environment, waiting for whoever has them in hand. Tallies do not move: their ids are counted in
-- each cell.
create function fold_tallies_of(environment uuid, most integer) returns integer
  language sql as $$
    with taken as (
      delete from outcome_tally t where t.ctid = any (array(
        select o.ctid from outcome_tally o where o.environment_id = environment order by o.id limit most for update))
      returning t.*),
    added as (
      insert into outcome_rollup as r (environment_id, at, minutes, workflow_id, channel, provider_id, outcome, n)
      select environment_id, date_bin('1 minute', at, '2000-01-01 00:00+00'), 1, workflow_id, channel, provider_id, outcome, sum(n)
      from taken group by 1, 2, 3, 4, 5, 6, 7 order by 1, 2, 3, 4, 5, 6, 7
      on conflict (environment_id, at, minutes, workflow_id, channel, provider_id, outcome)
        do update set n = r.n + excluded.n),
    counted as (
      insert into outcome_folded as f (environment_id, tallies)
      select environment_id, count(*) from taken group by 1
      on conflict (environment_id) do update set tallies = f.tallies + excluded.tallies)
    select count(*)::integer from taken
  $$;
