-- To be looked at: where an event hangs in its caller's trace, and how far behind we are.

-- A W3C traceparent; null for most.
alter table event add column trace text;

-- Timers that are due and messages that were given up, of everybody, each counted up to `most`. Every part is read by a
-- partial index, which holds nothing else.
create function watch_backlog(moment timestamptz, most integer)
  returns table (kind text, count integer, oldest timestamptz)
  language sql stable security definer set search_path from current
  set enable_seqscan = off set jit = off
  as $$
    select 'job', count(*)::integer, min(due.run_at) from (
      select j.run_at from job j where j.run_at <= moment order by j.run_at limit most) due
    union all
    select 'message', count(*)::integer, min(due.retry_at) from (
      select m.retry_at from message m where m.retry_at <= moment order by m.retry_at limit most) due
    union all
    select 'dead', count(*)::integer, null from (
      select 1 from message m where m.delivery = 'dead' limit most) dead
  $$;
