-- Timers are looked at when the next one is due, so the look says which kind it is, and only that kind is claimed. Like the
-- look, the claim of jobs now keeps its plans for as long as the session lives: to plan it anew each time, over every week's
-- partition, took longer than to claim.

-- When the next timer of each kind runs out; null: there is none. `is_paced`: messages may be in line at an integration.
-- (next_due, which it replaces, stays for nodes of the version before.)
create function next_timers() returns table (message_at timestamptz, job_at timestamptz, is_paced boolean)
language plpgsql stable security definer
set search_path from current set enable_seqscan to off set plan_cache_mode to force_generic_plan as $$
begin
  return query select
    (select m.retry_at from message m where m.retry_at is not null order by m.retry_at limit 1),
    (select j.run_at from job j where j.run_at is not null and j.status = 'delayed' order by j.run_at limit 1),
    exists (select 1 from integration_pace);
end $$;

-- Due jobs of everybody, the most overdue first. A delay or digest that is over is completed, and its window closed; a
-- message that was held back may go now. Jobs are locked first, then windows, as everywhere.
-- A kept plan must be right for tables of any size, also when they were empty when it was made: so nothing is joined, and
-- for each statement there is one index that fits. For windows there are two, so those are planned anew.
create or replace function wake_due_jobs(moment timestamptz, most integer)
  returns table (environment_id uuid, id uuid, notification_id uuid)
  language plpgsql security definer set search_path from current
  set enable_seqscan = off set enable_bitmapscan = off set plan_cache_mode = force_generic_plan
  as $$
#variable_conflict use_column
declare
  due record;
begin
  for due in
    select d.environment_id as env, array_agg(d.id) as ids, min(d.id::text)::uuid as first, max(d.id::text)::uuid as last,
      array_agg(d.id) filter (where d.type = 'digest') as digests
    from (
      select j.environment_id, j.id, j.type from job j
      where j.run_at <= moment and j.status = 'delayed' order by j.run_at limit most for update skip locked) d
    group by d.environment_id
  loop
    return query
      update job j set run_at = null, updated_at = moment,
        status = case when j.type in ('delay', 'digest') then 'completed' else 'pending' end,
        details = j.details || jsonb_build_object('status', 'Success',
          'at', to_char(moment at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
          'detail', case j.type when 'delay' then 'Delay is over' when 'digest' then 'Digest is closed'
            else 'The subscriber''s schedule is open' end)
      where j.environment_id = due.env and j.id = any (due.ids)
        -- Weeks without any of them are left out.
        and j.id between due.first and due.last
      returning j.environment_id, j.id, j.notification_id;
    if due.digests is not null then
      execute 'delete from digest_window
        where environment_id = $1 and job_id = any ($2) and look_back_seconds is null' using due.env, due.digests;
      execute 'update digest_window set kind = ''lookback'', closes_at = $3 + look_back_seconds * interval ''1 second''
        where environment_id = $1 and job_id = any ($2) and look_back_seconds is not null' using due.env, due.digests, moment;
    end if;
  end loop;
end $$;
