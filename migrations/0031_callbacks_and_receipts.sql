-- What a vendor told about a message besides its state: opened, clicked, unsubscribed, and words we have no kind for.
-- Each once.
alter table message add column reports text[];

-- Whether a vendor calls at all, and what it said last: for whoever sets an integration up.
create table callback_arrival (
  environment_id uuid not null,
  integration_id uuid not null,
  -- The last call that was believed, and its events.
  told_at timestamptz(3),
  told jsonb,
  -- The last call that was not.
  refused_at timestamptz(3),
  refused text,
  primary key (environment_id, integration_id),
  foreign key (environment_id, integration_id) references integration on delete cascade
);
alter table callback_arrival enable row level security;
create policy tenant on callback_arrival
  using (environment_id = (select current_environment()) or (select is_system()));

-- Of the device tokens that went through an integration since its credentials were last changed: how many its vendor
-- took, and how many it called gone. A mass of the latter tells of wrong credentials, not of tokens.
create table token_trust (
  environment_id uuid not null,
  integration_id uuid not null,
  -- A digest of the credentials as they are sealed.
  credentials bytea not null,
  accepted bigint not null,
  gone bigint not null,
  primary key (environment_id, integration_id),
  foreign key (environment_id, integration_id) references integration on delete cascade
);
alter table token_trust enable row level security;
create policy tenant on token_trust
  using (environment_id = (select current_environment()) or (select is_system()));

-- Vendors that tell only when asked what became of a push (Expo): what to ask for, and what was answered.
create table receipt (
  environment_id uuid not null,
  integration_id uuid not null,
  -- The vendor's name for it.
  ticket text collate "C" not null,
  message_id uuid not null,
  -- A digest of the device token.
  target text not null,
  due_at timestamptz(3) not null,
  -- The vendor forgets it then.
  expires_at timestamptz(3) not null,
  outcome text check (outcome in ('delivered', 'failed', 'unknown')),
  reason text,
  primary key (environment_id, integration_id, ticket),
  foreign key (environment_id, integration_id) references integration on delete cascade
);
create index receipt_message on receipt (environment_id, message_id);
create index receipt_due on receipt (due_at) where outcome is null;
create index receipt_expiry on receipt (expires_at);
alter table receipt enable row level security;
create policy tenant on receipt using (environment_id = (select current_environment()) or (select is_system()));

-- Of all environments, the most overdue first. One node asks for each, until `again`. Those that nobody could ask for in
-- time (their integration was deleted) go.
create function claim_due_receipts(moment timestamptz, again timestamptz, most integer)
  returns table (environment_id uuid, integration_id uuid, ticket text, message_id uuid, target text, expires_at timestamptz)
  language sql security definer set search_path from current
  as $$
    with old as (
      delete from receipt r using (
        select o.environment_id, o.integration_id, o.ticket from receipt o
        where o.expires_at <= moment - interval '1 hour' order by o.expires_at limit most for update skip locked) o
      where (r.environment_id, r.integration_id, r.ticket) = (o.environment_id, o.integration_id, o.ticket))
    update receipt r set due_at = again
    from (select d.environment_id, d.integration_id, d.ticket from receipt d where d.outcome is null and d.due_at <= moment
        and d.expires_at > moment - interval '1 hour'
      order by d.due_at limit most for update skip locked) due
    where (r.environment_id, r.integration_id, r.ticket) = (due.environment_id, due.integration_id, due.ticket)
    returning r.environment_id, r.integration_id, r.ticket, r.message_id, r.target, r.expires_at
  $$;

-- A digest of the chat address that its vendor says no longer exists: it is not called any more until another is given.
alter table subscriber_channel add column gone text;
