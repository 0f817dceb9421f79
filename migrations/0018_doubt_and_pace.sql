-- What a try in doubt means stays with the try: the integration may be changed or deleted before the next one.
alter table attempt
  -- What its integration was set to do when nobody knows whether the message was sent. Null: older than this column.
  add column when_unknown text check (when_unknown in ('atLeastOnce', 'atMostOnce')),
  -- The vendor asked us to slow down (429): not a failure, neither of the message nor of the integration.
  add column paced boolean not null default false,
  -- Which addresses were left out of what was sent, as a digest. Another one is another body, and has another key.
  add column variant text;

-- How fast an integration that answered 429 may be called, by all nodes together. There is a row only while it is paced.
create table integration_pace (
  environment_id uuid not null references environment,
  integration_id uuid not null,
  -- The vendor asked for silence until then.
  paused_until timestamptz not null,
  -- Calls per second, and the rate at which the last 429 came.
  rate double precision not null,
  ceiling double precision,
  -- Calls that may begin, as of `refilled_at`.
  slots double precision not null,
  refilled_at timestamptz not null,
  -- A 429 to a call that began before this belongs to the same overload, and slows nothing down again.
  slowed_at timestamptz not null,
  primary key (environment_id, integration_id)
);
alter table integration_pace enable row level security;
create policy tenant on integration_pace using (environment_id = (select current_environment()) or (select is_system()));

-- The messages that wait for a paced integration: the most urgent first, then the oldest.
create table paced_message (
  environment_id uuid not null,
  integration_id uuid not null,
  place smallint not null,
  message_id uuid not null,
  primary key (environment_id, integration_id, place, message_id)
);
alter table paced_message enable row level security;
create policy tenant on paced_message using (environment_id = (select current_environment()) or (select is_system()));

-- Lets as many messages go as each pace allows, of all environments. One node at a time handles an integration. Every
-- call that is allowed makes the pace a little faster: slowly around the rate that was refused last, so that a refused
-- call stays rare, and quickly below it, and above it, where that rate is evidently no longer the limit.
create function release_paced_messages(again timestamptz, most integer)
  returns table (environment_id uuid, id uuid, integration_id uuid, priority smallint)
  language plpgsql security definer set search_path from current
  set enable_hashjoin = off set enable_mergejoin = off set enable_seqscan = off
  as $$
#variable_conflict use_column
declare
  pace record;
  free double precision;
  taken integer;
begin
  for pace in
    select p.* from integration_pace p where p.paused_until <= clock_timestamp() and exists (
      select 1 from paced_message l where l.environment_id = p.environment_id and l.integration_id = p.integration_id)
    order by p.environment_id, p.integration_id for update of p skip locked
  loop
    free := least(greatest(1, pace.rate / 2),
      pace.slots + pace.rate * extract(epoch from clock_timestamp() - pace.refilled_at));
    continue when free < 1;
    return query
      with first as materialized (
        select l.place, l.message_id from paced_message l
        where l.environment_id = pace.environment_id and l.integration_id = pace.integration_id
        order by l.place, l.message_id limit least(floor(free), most)),
      gone as (
        delete from paced_message l using first f where l.environment_id = pace.environment_id
          and l.integration_id = pace.integration_id and l.place = f.place and l.message_id = f.message_id)
      update message m set retry_at = again from first f
      where m.environment_id = pace.environment_id and m.id = f.message_id and m.delivery = 'open' and not m.in_flight
      returning m.environment_id, m.id, m.integration_id, m.priority;
    get diagnostics taken = row_count;
    update integration_pace p set slots = free - taken, refilled_at = clock_timestamp(),
      rate = p.rate + taken * case when p.rate between 0.8 * p.ceiling and 1.2 * p.ceiling then 0.03 else 0.25 end
    where p.environment_id = pace.environment_id and p.integration_id = pace.integration_id;
  end loop;
  -- Ten minutes without a 429 and nobody in line: it is learnt anew if need be.
  delete from integration_pace p
  where greatest(p.paused_until, p.slowed_at) < clock_timestamp() - interval '10 minutes' and not exists (
    select 1 from paced_message l where l.environment_id = p.environment_id and l.integration_id = p.integration_id);
end $$;
