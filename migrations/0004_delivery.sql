-- Out of the house: what a message needs to be sent, every try at sending it, and who must not be sent to.

alter table message
  -- Null: there is nothing to deliver (in-app, or nobody to deliver to). `dead`: given up, may be driven again.
  add column delivery text check (delivery in ('open', 'sent', 'rejected', 'unknown', 'dead', 'canceled')),
  -- Chat and push: the integration whose message this is. E-mail and SMS: the one that tried last.
  add column integration_id uuid,
  -- Where it goes: an e-mail address or a phone number. Webhook URLs and device tokens are secrets and stay, sealed,
  -- where they are: they are looked up at each try.
  add column address text,
  -- Rendered parts that have no column of their own: sender, replyTo, preheader.
  add column envelope jsonb,
  add column attempts smallint not null default 0,
  -- A dead letter that was driven again had this many tries then: whom they failed with is asked afresh.
  add column redriven_after smallint not null default 0,
  -- A try is under way; whoever began it records it, or its deadline does.
  add column in_flight boolean not null default false,
  -- Digests of the device tokens that are settled: a later try leaves them out.
  add column settled_targets text[],
  -- When to look again: the next try, or the deadline of the one under way.
  add column retry_at timestamptz(3),
  add column expires_at timestamptz(3),
  add column priority smallint,
  -- The vendor's id, by which its callbacks name the message.
  add column external_id text,
  add column delivered_at timestamptz(3),
  -- What the vendor told us later; it only ever moves to the right.
  add column feedback text check (feedback in ('delivered', 'bounced', 'complained'));
create index message_due on message (retry_at) where retry_at is not null;
create index message_dead on message (environment_id, id) where delivery = 'dead';
create index message_external on message (environment_id, external_id) where external_id is not null;

-- One try at one provider, written before the first byte leaves. Its id is computed from message and number: of two
-- workers that begin the same try one finds the row there already. No index but the key: the ids of a message's tries
-- are known from their count.
create table attempt (
  environment_id uuid not null,
  id uuid not null,
  message_id uuid not null,
  number smallint not null,
  integration_id uuid not null,
  provider_id text not null,
  started_at timestamptz(3) not null,
  deadline timestamptz(3) not null,
  ended_at timestamptz(3),
  outcome text check (outcome in ('sent', 'retry', 'rejected', 'unknown')),
  -- Rejected because of the integration (its key is revoked), not of the message.
  integration_refused boolean not null default false,
  reason text,
  primary key (environment_id, id)
) partition by range (id);
create table attempt_default partition of attempt default;
alter table attempt_default enable row level security;
alter table attempt enable row level security;
create policy tenant on attempt using (environment_id = (select current_environment()));

create or replace function ensure_partitions(first timestamptz, last timestamptz) returns void language plpgsql as $$
declare
  week timestamptz := date_trunc('week', first at time zone 'UTC') at time zone 'UTC';
  parent text;
begin
  while week <= last loop
    foreach parent in array array['event', 'notification', 'job', 'message', 'attempt'] loop
      execute format('create table if not exists %I partition of %I for values from (%L) to (%L)',
        parent || '_' || to_char(week at time zone 'UTC', 'YYYYMMDD'), parent, uuid_at(week), uuid_at(week + interval '7 days'));
      -- Without a policy of its own: through its parent it is read under the parent's, by its own name not at all.
      execute format('alter table %I enable row level security', parent || '_' || to_char(week at time zone 'UTC', 'YYYYMMDD'));
    end loop;
    week := week + interval '7 days';
  end loop;
end $$;
-- From the oldest week that has a partition: an attempt stands beside its message.
do $$ begin
  perform ensure_partitions(
    (select coalesce(min(to_date(substring(relname from '\d{8}$'), 'YYYYMMDD')), now()) from pg_class
      where relispartition and relname ~ '^message_\d{8}$'),
    now() + interval '28 days');
end $$;

-- Files of an event, stored once however many people it reaches, and apart from the payload everybody reads.
create table event_attachment (
  environment_id uuid not null references environment,
  event_id uuid not null,
  position smallint not null,
  name text not null,
  mime text not null,
  content bytea not null,
  primary key (environment_id, event_id, position)
);
create index event_attachment_event on event_attachment (event_id);
alter table event_attachment enable row level security;
create policy tenant on event_attachment using (environment_id = (select current_environment()));

-- Addresses that bounced for good or complained: nothing is sent there until somebody takes them off the list.
create table suppression (
  environment_id uuid not null references environment,
  channel text not null,
  address text collate "C" not null,
  reason text not null check (reason in ('bounced', 'complained', 'unsubscribed')),
  message_id uuid,
  created_at timestamptz(3) not null,
  primary key (environment_id, channel, address)
);
alter table suppression enable row level security;
create policy tenant on suppression using (environment_id = (select current_environment()));

-- What the built-in development providers delivered; the newest are kept.
create table dev_mail (
  environment_id uuid not null references environment,
  id uuid not null,
  channel text not null,
  recipient text not null,
  subject text,
  content text not null,
  created_at timestamptz(3) not null,
  primary key (environment_id, id)
);
alter table dev_mail enable row level security;
create policy tenant on dev_mail using (environment_id = (select current_environment()));

-- Timers are looked at for everybody at once, the most overdue first. Their alarm is set again for later, so that a
-- task that is lost is not the end of the message.
create function claim_due_messages(moment timestamptz, again timestamptz, most integer)
  returns table (environment_id uuid, id uuid, integration_id uuid, priority smallint)
  language sql security definer set search_path from current
  -- The limit is a parameter: planned for any number, the update would read every partition whole.
  set enable_hashjoin = off set enable_mergejoin = off set enable_seqscan = off
  as $$
    update message m set retry_at = again
    from (select d.environment_id, d.id from message d where d.retry_at <= moment
      order by d.retry_at limit most for update skip locked) due
    where m.environment_id = due.environment_id and m.id = due.id
    returning m.environment_id, m.id, m.integration_id, m.priority
  $$;

-- A vendor calls back knowing the integration alone: the second read that crosses the wall.
create index integration_id on integration (id);
create function find_integration_environment(integration uuid)
  returns table (environment_id uuid, organization_id uuid)
  language sql stable security definer set search_path from current
  as $$
    select i.environment_id, e.organization_id from integration i join environment e on e.id = i.environment_id
    where i.id = integration and i.deleted_at is null
  $$;

-- A request that calls a provider holds no transaction meanwhile: its claim is committed first and stands until then.
-- Who is gone by that time has crashed, and the same request may be made again.
alter table idempotency add column leased_until timestamptz(3);
