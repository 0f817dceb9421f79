-- Second proofs of people, their resets, and what an organization demands of them.

-- Each opens once in the place of a code of the app.
create table recovery_code (
  person_id uuid not null references person on delete cascade,
  code_hash bytea not null,
  primary key (person_id, code_hash)
);
alter table recovery_code enable row level security;
create policy tenant on recovery_code using ((select is_system()));

-- Whoever has no second proof is let in only to set one up.
alter table organization_setting add column require_two_factor boolean not null default false;

-- A transaction of one environment does not see its organization.
create function organization_name(organization uuid) returns text
  language sql stable security definer set search_path from current
  as $$ select name from organization o where o.id = $1 $$;
create function rename_organization(organization uuid, new_name text) returns void
  language sql security definer set search_path from current
  as $$ update organization o set name = $2 where o.id = $1 $$;

-- Links that were sent to a person open nothing any more.
create function void_resets(person uuid) returns void
  language sql security definer set search_path from current
  as $$ delete from password_reset r where r.person_id = $1 $$;
