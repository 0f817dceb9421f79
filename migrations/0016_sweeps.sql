-- What waits for a task, of everybody: the sweeps compare it with the queues. These cross the wall between environments,
-- as timers do; they tell ids, nothing else.

-- Events that have waited since before a moment.
create function open_events(before timestamptz) returns table (environment_id uuid, id uuid)
  language sql stable security definer set search_path from current
  as $$ select e.environment_id, e.id from event e where e.state = 'accepted' and e.id < uuid_at(before) $$;

-- Steps that wait for an earlier one. Few are written, and only by workflows that wait.
create index job_pending on job (environment_id, notification_id) where status = 'pending';

-- Notifications with a step that has waited since before a moment, and for which no timer is set: neither a delay, a
-- digest or a schedule of theirs, nor a message of theirs that is to be sent. Each part is read by a partial index, and
-- they are joined by hash: planned for few rows, it would be quadratic.
create function idle_notifications(before timestamptz) returns table (environment_id uuid, id uuid)
  language sql stable security definer set search_path from current set enable_nestloop = off
  as $$
    select distinct j.environment_id, j.notification_id from job j
    where j.status = 'pending' and j.updated_at < before
      and not exists (select 1 from job d
        where d.run_at is not null and d.environment_id = j.environment_id and d.notification_id = j.notification_id)
      and not exists (select 1 from message m
        where m.retry_at is not null and m.environment_id = j.environment_id and m.notification_id = j.notification_id)
  $$;
