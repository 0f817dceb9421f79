-- As before, but for three things. A try that nobody recorded (its worker died) kept its row, and so a deleted endpoint,
-- for ever. An endpoint was forgotten while a transaction that had still seen it wrote a page for it, which then nobody
-- deleted: it stays an hour, longer than any of them lasts. And whoever has locked an endpoint is not waited for: an
-- erasure holds all of them while it waits for pages.
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
