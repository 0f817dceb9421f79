-- What happened, counted: the dashboard draws from here, and never counts history.

-- Appended by the very transactions whose outcomes it counts, one statement each: so the numbers are exact, and nobody
-- waits for anybody else's counter. No index but the key, no foreign key: it is written by every page.
create table outcome_tally (
  environment_id uuid not null,
  id bigint generated always as identity,
  at timestamptz(3) not null,
  workflow_id uuid not null,
  -- Empty where the outcome is not of one channel, or of no provider.
  channel text collate "C" not null,
  provider_id text collate "C" not null,
  outcome text collate "C" not null,
  n integer not null,
  primary key (environment_id, id)
) with (
  -- Rows live for seconds: what they leave behind is cleaned by their number, not by the size of the table.
  autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 10000,
  autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 50000
);
alter table outcome_tally enable row level security;
create policy tenant on outcome_tally using (environment_id = (select current_environment()));

-- The same, added up by the minute, and after two days by the hour.
create table outcome_rollup (
  environment_id uuid not null,
  -- When the span begins.
  at timestamptz(0) not null,
  minutes smallint not null check (minutes in (1, 60)),
  workflow_id uuid not null,
  channel text collate "C" not null,
  provider_id text collate "C" not null,
  outcome text collate "C" not null,
  n bigint not null,
  primary key (environment_id, at, minutes, workflow_id, channel, provider_id, outcome)
);
-- What has grown old is found whoever it belongs to.
create index outcome_rollup_age on outcome_rollup (minutes, at);
alter table outcome_rollup enable row level security;
create policy tenant on outcome_rollup using (environment_id = (select current_environment()));

-- How many tallies were added up so far. With those that were not, it counts all there ever were: a number that rises
-- with every transaction that changed an outcome, whatever order they commit in.
create table outcome_folded (
  environment_id uuid primary key,
  tallies bigint not null
);
alter table outcome_folded enable row level security;
create policy tenant on outcome_folded using (environment_id = (select current_environment()));

-- A batch of everybody's; who finds rows in other hands takes the next ones.
create function fold_tallies(most integer) returns integer
  language sql security definer set search_path from current
  as $$
    with taken as (
      -- By their places: joined by the key, a long backlog would be read whole for every batch.
      delete from outcome_tally t where t.ctid = any (array(
        select o.ctid from outcome_tally o order by o.environment_id, o.id limit most for update skip locked))
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

-- Minutes that are old become hours.
create function coarsen_rollups(before timestamptz, most integer) returns integer
  language sql security definer set search_path from current
  as $$
    with taken as (
      delete from outcome_rollup r where r.ctid = any (array(
        select o.ctid from outcome_rollup o
        where o.minutes = 1 and o.at < before order by o.at limit most for update skip locked))
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

create function purge_rollups(before timestamptz, most integer) returns integer
  language sql security definer set search_path from current
  as $$
    with gone as (
      delete from outcome_rollup r where r.ctid = any (array(
        select o.ctid from outcome_rollup o
        where o.minutes = 60 and o.at < before order by o.at limit most for update skip locked))
      returning 1)
    select count(*)::integer from gone
  $$;

-- Who made a version and when; not known of those made before.
alter table workflow_version
  add column created_at timestamptz(3),
  add column created_by uuid;
