-- People: who signs in with an e-mail address, what they are in an organization, and who is invited.

create table person (
  id uuid primary key,
  -- Lower-cased. One person in the whole installation, however many organizations they are a member of.
  email text collate "C" not null unique check (email = lower(email)),
  name text not null,
  -- Null: signs in by other means only.
  password_hash text,
  -- Sealed. It counts once it is confirmed.
  totp_secret text,
  totp_confirmed_at timestamptz(3),
  -- The last step of a code that was used: none is used twice.
  totp_last_step bigint,
  updated_at timestamptz(3) not null
);

create table member (
  organization_id uuid not null references organization on delete cascade,
  person_id uuid not null references person on delete cascade,
  -- In the organization, and in each of its environments that member_role does not name. Null: only in those it names.
  role text check (role in ('owner', 'admin', 'author', 'operator', 'viewer')),
  created_at timestamptz(3) not null,
  primary key (organization_id, person_id)
);
create index member_person on member (person_id);

create table member_role (
  organization_id uuid not null,
  person_id uuid not null,
  -- Not moved with its environment: people belong to the organization.
  in_environment uuid not null references environment on delete cascade,
  -- Null: nothing there.
  role text check (role in ('admin', 'author', 'operator', 'viewer')),
  primary key (organization_id, person_id, in_environment),
  foreign key (organization_id, person_id) references member on delete cascade
);
create index member_role_environment on member_role (in_environment);

-- Whoever is no member any more is signed out.
create table person_session (
  organization_id uuid not null,
  id uuid not null,
  person_id uuid not null,
  token_hash bytea not null,
  last_seen_at timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  ended_at timestamptz(3),
  address text,
  agent text,
  primary key (organization_id, id),
  foreign key (organization_id, person_id) references member on delete cascade
);
create index person_session_person on person_session (person_id);

-- Failed sign-ins by the hash of the address that was given, whether or not somebody has it: both are refused alike.
create table sign_in_failure (
  account_hash bytea primary key,
  failures integer not null,
  last_at timestamptz(3) not null,
  blocked_until timestamptz(3) not null
);

create table invitation (
  organization_id uuid not null references organization on delete cascade,
  id uuid not null,
  email text collate "C" not null check (email = lower(email)),
  role text check (role in ('owner', 'admin', 'author', 'operator', 'viewer')),
  -- By the id of an environment, as in member_role.
  roles jsonb not null,
  token_hash bytea not null,
  expires_at timestamptz(3) not null,
  -- As they were called then.
  invited_by text not null,
  primary key (organization_id, id),
  unique (organization_id, email)
);

create table password_reset (
  person_id uuid not null references person on delete cascade,
  id uuid not null,
  token_hash bytea not null,
  expires_at timestamptz(3) not null,
  used_at timestamptz(3),
  primary key (person_id, id)
);

-- What an organization chose. An integration of one of its environments sends its own mails (invitations, resets).
create table organization_setting (
  organization_id uuid primary key references organization on delete cascade,
  mail_environment uuid references environment on delete set null,
  mail_integration uuid
);

-- Mails of ours that are to be sent, and what became of them.
create table own_mail (
  organization_id uuid not null references organization on delete cascade,
  id uuid not null,
  kind text not null check (kind in ('invitation', 'password-reset')),
  -- The invitation, or the person.
  subject_id uuid not null,
  recipient text not null,
  -- Sealed, and only until the mail is sent or given up: it opens a door.
  link text,
  state text not null check (state in ('waiting', 'sent', 'failed')),
  tries integer not null default 0,
  next_at timestamptz(3) not null,
  reason text,
  primary key (organization_id, id)
);
create index own_mail_waiting on own_mail (next_at) where state = 'waiting';
create index own_mail_subject on own_mail (organization_id, subject_id);

alter table member enable row level security;
create policy tenant on member
  using (organization_id = (select current_organization()) or (select is_system()));
alter table member_role enable row level security;
create policy tenant on member_role
  using (organization_id = (select current_organization()) or (select is_system()));
alter table person_session enable row level security;
create policy tenant on person_session
  using (organization_id = (select current_organization()) or (select is_system()));
alter table invitation enable row level security;
create policy tenant on invitation
  using (organization_id = (select current_organization()) or (select is_system()));
alter table organization_setting enable row level security;
create policy tenant on organization_setting
  using (organization_id = (select current_organization()) or (select is_system()));
alter table own_mail enable row level security;
create policy tenant on own_mail
  using (organization_id = (select current_organization()) or (select is_system()));
-- Those who are members of the organization.
alter table person enable row level security;
create policy tenant on person
  using ((select is_system()) or exists (
    select 1 from member m where m.person_id = person.id and m.organization_id = (select current_organization())));
alter table password_reset enable row level security;
create policy tenant on password_reset using ((select is_system()));
alter table sign_in_failure enable row level security;
create policy tenant on sign_in_failure using ((select is_system()));

-- A person who is a member of no organization is forgotten. The transaction of one of them cannot see the others.
create function forget_stranger(person uuid) returns void
  language sql security definer set search_path from current
  as $$
    delete from person p where p.id = $1 and not exists (select 1 from member m where m.person_id = $1)
  $$;
