-- Who acts, what they may do, and what they did.

-- A key may do everything, or less. Existing ones keep everything.
alter table api_key
  add column scope text not null default 'everything' check (scope in ('everything', 'trigger', 'read', 'inbox')),
  add column expires_at timestamptz(3),
  add column note text;

-- A version that still runs asks for fewer columns of it.
drop function find_api_key(uuid);
create function find_api_key(key_id uuid)
  returns table (environment_id uuid, organization_id uuid, secret_hash bytea, revoked boolean, reach text, scope text,
    expires_at timestamptz, name text)
  language sql stable security definer set search_path from current
  as $$
    select k.environment_id, e.organization_id, k.secret_hash, k.revoked_at is not null or e.deleted_at is not null,
      k.reach, k.scope, k.expires_at, k.name
    from api_key k join environment e on e.id = k.environment_id
    where k.id = key_id
  $$;

-- Whose environment the transaction is in. For policies of tables that belong to an organization.
create function current_organization() returns uuid
  language sql stable security definer set search_path from current
  as $$ select organization_id from environment where id = current_environment() $$;

-- The record of changes: who did what, where and when (the id tells). Never changed; only old rows go.
create table change_record (
  organization_id uuid not null references organization,
  id uuid not null,
  -- Null: it is about the organization. No reference: what was done in a deleted one stays known.
  happened_in uuid,
  actor_type text not null check (actor_type in ('person', 'key', 'link', 'command', 'service')),
  actor_id text not null,
  -- As they were called then.
  actor_name text not null,
  address text,
  agent text,
  request_id text,
  -- As in workflow.updated.
  action text not null,
  subject_type text not null,
  subject_id text not null,
  subject_name text,
  -- What is different: [{path, before, after}], long texts cut, never a secret.
  changes jsonb not null,
  primary key (organization_id, id)
);
create index change_record_place on change_record (organization_id, happened_in, id);
create index change_record_subject on change_record (organization_id, subject_type, subject_id, id);
create index change_record_actor on change_record (organization_id, actor_id, id);
alter table change_record enable row level security;
create policy tenant on change_record
  using (organization_id = (select current_organization()) or (select is_system()));

create function keep_change_record() returns trigger language plpgsql as $$
begin
  if coalesce(current_setting('tidings.purges_record', true), '') <> 'on' then
    raise exception 'the record of changes is never changed';
  end if;
  return old;
end $$;
create trigger kept before update or delete on change_record for each row execute function keep_change_record();
create trigger kept_whole before truncate on change_record for each statement execute function keep_change_record();

-- A batch of rows from before that time. Answers how many went.
create function purge_change_record(before timestamptz, most integer) returns integer
  language plpgsql security definer set search_path from current as $$
declare
  gone integer;
begin
  perform set_config('tidings.purges_record', 'on', true);
  delete from change_record c using (
    select r.organization_id, r.id from organization o cross join lateral (
      select * from change_record r where r.organization_id = o.id and r.id < uuid_at(before) limit most) r
    limit most) old
  where c.organization_id = old.organization_id and c.id = old.id;
  get diagnostics gone = row_count;
  perform set_config('tidings.purges_record', '', true);
  return gone;
end $$;
