-- Steps that wait: delays, digests, throttles, and messages held back by a person's own hours.

alter table job
  -- A digest step that was merged: the notification whose digest its own became part of.
  add column merged_into uuid,
  -- How often the person's schedule put it off.
  add column extensions smallint not null default 0;
create index job_merged on job (environment_id, merged_into) where merged_into is not null;

-- At most one open digest per step, person and key: the key itself sees to it. Whoever joins and whoever closes lock the
-- row. `lookback`: something was just sent, and what follows within this time is gathered (backoff).
create table digest_window (
  environment_id uuid not null references environment,
  workflow_id uuid not null,
  step_id text collate "C" not null,
  subscriber_id uuid not null,
  key text collate "C" not null,
  kind text not null check (kind in ('open', 'lookback')),
  notification_id uuid not null,
  -- The job that waits; its timer closes the window.
  job_id uuid not null,
  closes_at timestamptz(3) not null,
  -- Backoff: how long after something was sent the next ones are gathered.
  look_back_seconds integer,
  primary key (environment_id, workflow_id, step_id, subscriber_id, key)
);
create index digest_window_job on digest_window (environment_id, job_id);
create index digest_window_lookback on digest_window (closes_at) where kind = 'lookback';
alter table digest_window enable row level security;
create policy tenant on digest_window using (environment_id = (select current_environment()));

create table throttle_window (
  environment_id uuid not null references environment,
  workflow_id uuid not null,
  step_id text collate "C" not null,
  subscriber_id uuid not null,
  key text collate "C" not null,
  count integer not null,
  ends_at timestamptz(3) not null,
  primary key (environment_id, workflow_id, step_id, subscriber_id, key)
);
create index throttle_window_end on throttle_window (ends_at);
alter table throttle_window enable row level security;
create policy tenant on throttle_window using (environment_id = (select current_environment()));

-- Due jobs of everybody, the most overdue first. A delay or digest that is over is completed, and its window closed, in
-- this very statement; a message that was held back may go now.
create function wake_due_jobs(moment timestamptz, most integer)
  returns table (environment_id uuid, id uuid, notification_id uuid)
  language sql security definer set search_path from current
  -- The limit is a parameter: planned for any number, the update would read every partition whole.
  set enable_hashjoin = off set enable_mergejoin = off set enable_seqscan = off
  as $$
    with due as (
      select j.environment_id, j.id, j.type from job j
      where j.run_at <= moment and j.status = 'delayed' order by j.run_at limit most for update skip locked),
    closed as (
      delete from digest_window w using due d
      where d.type = 'digest' and w.environment_id = d.environment_id and w.job_id = d.id and w.look_back_seconds is null),
    looking_back as (
      update digest_window w set kind = 'lookback', closes_at = moment + w.look_back_seconds * interval '1 second'
      from due d
      where d.type = 'digest' and w.environment_id = d.environment_id and w.job_id = d.id and w.look_back_seconds is not null)
    update job j set run_at = null, updated_at = moment,
      status = case when j.type in ('delay', 'digest') then 'completed' else 'pending' end,
      details = j.details || jsonb_build_object('status', 'Success',
        'at', to_char(moment at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
        'detail', case j.type when 'delay' then 'Delay is over' when 'digest' then 'Digest is closed'
          else 'The subscriber''s schedule is open' end)
    from due d where j.environment_id = d.environment_id and j.id = d.id
    returning j.environment_id, j.id, j.notification_id
  $$;

-- What is over is of no use any more: in batches, for everybody.
create function purge_windows(moment timestamptz, most integer) returns integer
  language sql security definer set search_path from current
  as $$
    with old_throttles as (
      delete from throttle_window t using (
        select o.environment_id, o.workflow_id, o.step_id, o.subscriber_id, o.key from throttle_window o
        where o.ends_at <= moment order by o.ends_at limit most for update skip locked) o
      where (t.environment_id, t.workflow_id, t.step_id, t.subscriber_id, t.key)
        = (o.environment_id, o.workflow_id, o.step_id, o.subscriber_id, o.key) returning 1),
    old_lookbacks as (
      delete from digest_window w using (
        select o.environment_id, o.workflow_id, o.step_id, o.subscriber_id, o.key from digest_window o
        where o.kind = 'lookback' and o.closes_at <= moment order by o.closes_at limit most for update skip locked) o
      where (w.environment_id, w.workflow_id, w.step_id, w.subscriber_id, w.key)
        = (o.environment_id, o.workflow_id, o.step_id, o.subscriber_id, o.key) returning 1)
    select (select count(*) from old_throttles)::integer + (select count(*) from old_lookbacks)::integer
  $$;
