-- OpenID Connect: issuers that vouch for the people of an organization.

create table sign_in_connection (
  organization_id uuid not null references organization on delete cascade,
  id uuid not null,
  name text not null,
  issuer text not null,
  client_id text not null,
  -- Sealed.
  client_secret text not null,
  scopes text[] not null,
  -- Lower-cased, in ASCII. It vouches for addresses of these alone.
  domains text[] collate "C" not null,
  -- Its issuer never says that it has checked an address; whoever runs it has.
  trusts_email boolean not null,
  groups_claim text,
  -- In order: what a person is by the first of their groups that is named here.
  group_roles jsonb not null,
  default_role text check (default_role in ('owner', 'admin', 'author', 'operator', 'viewer')),
  -- Whoever it vouches for becomes a member.
  joins boolean not null,
  active boolean not null,
  primary key (organization_id, id)
);
create index sign_in_connection_domains on sign_in_connection using gin (domains);

-- Which account at an issuer is which member. It opens this organization and no other.
create table sign_in_identity (
  organization_id uuid not null,
  connection_id uuid not null,
  subject text collate "C" not null,
  person_id uuid not null,
  primary key (organization_id, connection_id, subject),
  unique (organization_id, connection_id, person_id),
  foreign key (organization_id, connection_id) references sign_in_connection on delete cascade,
  foreign key (organization_id, person_id) references member on delete cascade
);
create index sign_in_identity_person on sign_in_identity (organization_id, person_id);

-- Somebody was sent to an issuer, and is expected back in the same browser.
create table sign_in_flow (
  organization_id uuid not null,
  id uuid not null,
  connection_id uuid not null,
  state_hash bytea not null,
  cookie_hash bytea not null,
  nonce text not null,
  -- Sealed.
  verifier text not null,
  next text,
  expires_at timestamptz(3) not null,
  primary key (organization_id, id),
  foreign key (organization_id, connection_id) references sign_in_connection on delete cascade
);
create index sign_in_flow_expiry on sign_in_flow (expires_at);
create index sign_in_flow_connection on sign_in_flow (organization_id, connection_id);

-- The connection that made them a member: it alone lets them in here, their password does not. Null: they proved who they
-- are by a password. No reference: a connection that is gone lets nobody in.
alter table member add column through uuid;

-- The connection that opened it. It is good for this organization, and for nothing of the person's elsewhere.
alter table person_session
  add column connection_id uuid,
  add foreign key (organization_id, connection_id) references sign_in_connection on delete cascade;

alter table organization_setting
  add column passwords text not null default 'allowed' check (passwords in ('allowed', 'owners-only'));

alter table sign_in_connection enable row level security;
create policy tenant on sign_in_connection
  using (organization_id = (select current_organization()) or (select is_system()));
alter table sign_in_identity enable row level security;
create policy tenant on sign_in_identity
  using (organization_id = (select current_organization()) or (select is_system()));
alter table sign_in_flow enable row level security;
create policy tenant on sign_in_flow
  using (organization_id = (select current_organization()) or (select is_system()));
