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
