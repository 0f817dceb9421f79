-- What endpoints are to be told is written down by the page, not by the event: a row and three indexes for each of two
-- events of a notification cost a quarter of all that can be sent. A page becomes deliveries when its turn comes.
create table webhook_page (
  environment_id uuid not null,
  endpoint_id uuid not null,
  id uuid not null,
  created_at timestamptz(3) not null,
  size integer not null,
  -- So many of them are deliveries already. Who changes it has locked the endpoint's row.
  begun integer not null default 0,
  -- Each event's id, type, whom it is about, and what is sent, the same text at every try.
  ids uuid[] not null,
  types text[] not null,
  subscriber_ids uuid[] not null,
  bodies text[] not null,
  primary key (environment_id, endpoint_id, id)
);
alter table webhook_page enable row level security;
create policy tenant on webhook_page
  using (environment_id = (select current_environment()) or (select is_system()));
alter table webhook_page set (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 200);
-- The default compression takes three times as long as all the rest. Not every PostgreSQL is built with the other.
alter table webhook_page alter ids set storage external, alter subscriber_ids set storage external;
do $$ begin
  if 'lz4' = any ((select enumvals from pg_settings where name = 'default_toast_compression')::text[]) then
    alter table webhook_page alter bodies set compression lz4;
  else
    alter table webhook_page alter bodies set storage external;
  end if;
end $$;

-- Turns the oldest events in pages, at most so many, into deliveries: with a try that begins now, or (`moment` is null)
-- as they wait. The caller has locked the endpoint's row.
create function begin_webhook_events(environment uuid, endpoint uuid, most integer, moment timestamptz, again timestamptz)
  returns setof webhook_delivery language sql volatile as $$
    with page as materialized (
      select p.*, coalesce(sum(p.size - p.begun) over (order by p.id rows between unbounded preceding and 1 preceding), 0) as before
      from (select * from webhook_page o where o.environment_id = environment and o.endpoint_id = endpoint
        order by o.id limit most) p),
    cut as materialized (
      select page.*, page.begun + least(page.size - page.begun, most - page.before)::integer as ends
      from page where page.before < most),
    delivery as (
      insert into webhook_delivery (environment_id, endpoint_id, id, type, subscriber_id, body, created_at, since, next_at,
        number, in_flight, started_at)
      select environment, endpoint, event.id, event.type, event.subscriber_id, event.body, cut.created_at, cut.created_at,
        coalesce(again, cut.created_at), (moment is not null)::integer, moment is not null, moment
      from cut cross join unnest(cut.ids[cut.begun + 1:cut.ends], cut.types[cut.begun + 1:cut.ends],
        cut.subscriber_ids[cut.begun + 1:cut.ends], cut.bodies[cut.begun + 1:cut.ends]) as event (id, type, subscriber_id, body)
      returning *),
    moved as (
      update webhook_page p set begun = cut.ends from cut
      where p.environment_id = environment and p.endpoint_id = endpoint and p.id = cut.id and cut.ends < cut.size),
    gone as (
      delete from webhook_page p using cut
      where p.environment_id = environment and p.endpoint_id = endpoint and p.id = cut.id and cut.ends >= cut.size)
    select * from delivery
  $$;

-- As claim_webhook_lanes, which nodes of the version before still ask, and of those that have pages.
create function claim_webhook_work(moment timestamptz, until timestamptz, most integer)
  returns table (environment_id uuid, id uuid, busy_by uuid)
  language sql security definer set search_path from current set enable_seqscan = off
  as $$
    update webhook_endpoint e set busy_until = until, busy_by = gen_random_uuid()
    from (select o.environment_id, o.id from webhook_endpoint o
      where o.state = 'enabled' and o.busy_until <= moment and o.environment_id <> all ((select enter_loops())::uuid[])
        and (exists (select 1 from webhook_delivery d
            where d.environment_id = o.environment_id and d.endpoint_id = o.id and d.next_at <= moment)
          or exists (select 1 from webhook_page p where p.environment_id = o.environment_id and p.endpoint_id = o.id))
      order by o.busy_until limit most for update skip locked) due
    where e.environment_id = due.environment_id and e.id = due.id
    returning e.environment_id, e.id, e.busy_by
  $$;

-- What is kept is not read. A try that nobody recorded (its worker died) is over after an hour. A deleted endpoint stays an
-- hour, longer than any transaction that has still seen it and writes a page for it. Whoever has locked an endpoint is not
-- waited for: an erasure holds all of them while it waits for pages.
create or replace function purge_webhooks(before timestamptz, most integer) returns integer
  language sql security definer set search_path from current set enable_seqscan = off
  as $$
    with held as materialized (select (enter_loops())::uuid[] as ids),
    old as (
      select d.environment_id, d.endpoint_id, d.id from webhook_endpoint e cross join held
      cross join lateral (
        select o.environment_id, o.endpoint_id, o.id from webhook_delivery o
        where o.environment_id = e.environment_id and o.endpoint_id = e.id
          and (not o.in_flight or o.next_at < now() - interval '1 hour')
          and o.id < case when e.state = 'deleted' then 'ffffffff-ffff-ffff-ffff-ffffffffffff'::uuid else uuid_at(before) end
          and (e.state = 'deleted' or o.since < before)
        order by o.id limit most for update skip locked) d
      where e.environment_id <> all (held.ids) limit most),
    gone as (
      delete from webhook_delivery d using old
      where (d.environment_id, d.endpoint_id, d.id) = (old.environment_id, old.endpoint_id, old.id) returning 1),
    old_pages as (
      select d.environment_id, d.endpoint_id, d.id from webhook_endpoint e cross join held
      cross join lateral (
        select o.environment_id, o.endpoint_id, o.id from webhook_page o
        where o.environment_id = e.environment_id and o.endpoint_id = e.id
          and o.id < case when e.state = 'deleted' then 'ffffffff-ffff-ffff-ffff-ffffffffffff'::uuid else uuid_at(before) end
        order by o.id limit most for update skip locked) d
      where e.environment_id <> all (held.ids) limit most),
    gone_pages as (
      delete from webhook_page d using old_pages old
      where (d.environment_id, d.endpoint_id, d.id) = (old.environment_id, old.endpoint_id, old.id) returning 1),
    empty as (
      select e.environment_id, e.id from webhook_endpoint e cross join held
      where e.state = 'deleted' and e.updated_at < now() - interval '1 hour' and e.environment_id <> all (held.ids)
        and not exists (select 1 from webhook_delivery d where d.environment_id = e.environment_id and d.endpoint_id = e.id)
        and not exists (select 1 from webhook_page p where p.environment_id = e.environment_id and p.endpoint_id = e.id)
      for update of e skip locked),
    forgotten as (
      delete from webhook_endpoint e using empty where e.environment_id = empty.environment_id and e.id = empty.id returning 1)
    select (select count(*) from gone)::integer + (select count(*) from gone_pages)::integer
      + (select count(*) from forgotten)::integer
  $$;
