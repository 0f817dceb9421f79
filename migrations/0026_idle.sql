-- What a process that has nothing to do asks for. Both keep their plans for as long as the session lives; the claims make
-- theirs anew at each call, over every week's partition, which is nearly all that an idle service cost.

-- When the next timer runs out; null: there is none. Messages in line at a paced integration are always due.
create function next_due(moment timestamptz) returns timestamptz
language plpgsql stable security definer
set search_path to '$user', public set enable_seqscan to off set plan_cache_mode to force_generic_plan as $$
begin
  if exists (select 1 from integration_pace) then return moment; end if;
  return least(
    (select m.retry_at from message m where m.retry_at is not null order by m.retry_at limit 1),
    (select j.run_at from job j where j.run_at is not null and j.status = 'delayed' order by j.run_at limit 1));
end $$;

-- Of each queue: whether a task can be taken, and whether one is being worked on. The engine makes its tables after this.
create function look_at_queues(names text[]) returns table (queue text, is_due boolean, is_active boolean)
language plpgsql stable set enable_seqscan to off set plan_cache_mode to force_generic_plan as $$
begin
  return query select q.name,
    exists (select 1 from pgboss.job j
      where j.name = q.name and j.state < 'active' and not j.blocked and j.start_after <= now()),
    exists (select 1 from pgboss.job j where j.name = q.name and j.state = 'active' and j.group_id is not null)
  from unnest(names) q (name);
end $$;
