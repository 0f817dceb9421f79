-- Who looks at the dashboard. A token names its environment and its row, so it is looked up inside the tenant wall; of
-- its secret only the hash is kept. Rows past their time go with the next sign-in of their environment.

create table session (
  environment_id uuid not null references environment,
  id uuid not null,
  token_hash bytea not null,
  -- The key it was opened with: revoking it ends the session. Null: opened by a sign-in link.
  api_key_id uuid,
  expires_at timestamptz(3) not null,
  ended_at timestamptz(3),
  primary key (environment_id, id),
  foreign key (environment_id, api_key_id) references api_key
);
alter table session enable row level security;
create policy tenant on session using (environment_id = (select current_environment()));

create table sign_in_link (
  environment_id uuid not null references environment,
  id uuid not null,
  token_hash bytea not null,
  expires_at timestamptz(3) not null,
  -- A link opens one session.
  used_at timestamptz(3),
  primary key (environment_id, id)
);
alter table sign_in_link enable row level security;
create policy tenant on sign_in_link using (environment_id = (select current_environment()));
