-- Environments that people work in: they have an address, a colour, one they are published from, and can be protected or
-- deleted. All locks first; the rows are few.
lock table environment in access exclusive mode;
alter table environment
  -- Part of its address in the dashboard. It stays when the name changes, so that links do.
  add column slug text collate "C" not null default 'e-' || left(replace(gen_random_uuid()::text, '-', ''), 12),
  add column color text not null default '#64748b',
  -- dev: where things are made. prod: where they are published to.
  add column type text not null default 'dev' check (type in ('dev', 'prod')),
  -- What is published to it comes from there, unless another one is named. In another cell or deleted: nobody's.
  add column parent_id uuid,
  -- Workflows, layouts and translations change only by publishing.
  add column protected boolean not null default false,
  -- Null: it is not deleted. Until purged_after it can be restored.
  add column deleted_at timestamptz(3),
  add column purged_after timestamptz(3);

update environment e set slug = s.slug from (
  select id, case when row_number() over same = 1 then stem else stem || '-' || row_number() over same end as slug
  from (select id, organization_id, coalesce(
      nullif(btrim(left(regexp_replace(lower(name), '[^a-z0-9]+', '-', 'g'), 60), '-'), ''), 'environment') as stem
    from environment) named
  window same as (partition by organization_id, stem order by id)) s
where e.id = s.id;
-- Two names that look alike with their number ("a", "a-2", "a"): those keep a slug of chance.
update environment e set slug = default where exists (
  select 1 from environment o where o.organization_id = e.organization_id and o.slug = e.slug and o.id < e.id);
create unique index environment_slug on environment (organization_id, slug);
create index environment_purge on environment (purged_after) where purged_after is not null;

-- What a key, and who signs in with it, can get at: its environment, or all of its organization. The operator's own key
-- is the way in where no link is printed.
alter table api_key add column reach text not null default 'environment' check (reach in ('environment', 'organization'));
update api_key set reach = 'organization' where bootstrap;

-- Keys of a deleted environment open nothing.
drop function find_api_key(uuid);
create function find_api_key(key_id uuid)
  returns table (environment_id uuid, organization_id uuid, secret_hash bytea, revoked boolean, reach text)
  language sql stable security definer set search_path from current
  as $$
    select k.environment_id, e.organization_id, k.secret_hash, k.revoked_at is not null or e.deleted_at is not null,
      k.reach
    from api_key k join environment e on e.id = k.environment_id
    where k.id = key_id
  $$;
create or replace function find_environment(public_identifier text)
  returns table (environment_id uuid, organization_id uuid)
  language sql stable security definer set search_path from current
  as $$
    select e.id, e.organization_id from environment e where e.identifier = public_identifier and e.deleted_at is null
  $$;

-- The environments of an organization, which a transaction of one of them cannot see. Who calls has proved that it may.

create function environments_of(organization uuid)
  returns table (id uuid, organization_id uuid, name text, identifier text, slug text, color text, type text,
    parent_id uuid, protected boolean, deleted_at timestamptz, purged_after timestamptz, is_elsewhere boolean)
  language sql stable security definer set search_path from current
  as $$
    select e.id, e.organization_id, e.name, e.identifier, e.slug, e.color, e.type, e.parent_id, e.protected,
      e.deleted_at, e.purged_after, e.state in ('departed', 'arriving') and e.deleted_at is null
    from environment e where e.organization_id = organization order by e.id
  $$;

create function add_environment(
  organization uuid, new_id uuid, new_name text, new_slug text, new_color text, new_type text, new_parent uuid)
  returns boolean
  language plpgsql security definer set search_path from current as $$
begin
  insert into environment (id, organization_id, name, slug, color, type, parent_id)
  values (new_id, organization, new_name, new_slug, new_color, new_type, new_parent)
  on conflict do nothing;
  return found;
end $$;

-- Null: stays as it is.
create function change_environment(
  organization uuid, environment uuid, new_name text, new_color text, new_parent uuid, new_protected boolean)
  returns boolean
  language plpgsql security definer set search_path from current as $$
begin
  update environment e set name = coalesce(new_name, e.name), color = coalesce(new_color, e.color),
    parent_id = coalesce(new_parent, e.parent_id), protected = coalesce(new_protected, e.protected)
  where e.id = environment and e.organization_id = organization and e.deleted_at is null;
  return found;
end $$;

-- From now on nobody reads or writes it and no work of it begins, as with one that lives in another cell (0035); none is
-- named. Waits for the writers in flight, but not for long.
create function delete_environment(organization uuid, environment uuid, grace interval) returns boolean
  language plpgsql security definer set search_path from current set lock_timeout = '2s' as $$
begin
  perform pg_advisory_xact_lock(loops_lock());
  perform pg_advisory_xact_lock(environment_lock(environment));
  update environment e set state = 'departed', state_since = clock_timestamp(), frozen_until = null, cell = null,
    deleted_at = clock_timestamp(), purged_after = clock_timestamp() + grace
  where e.id = environment and e.organization_id = organization and e.deleted_at is null
    and effective_state(e.state, e.frozen_until) = 'active';
  return found;
end $$;

-- What waited goes on: timers by the loops, the rest by the sweeps. For a second tasks begin nothing: a node may still
-- take it for deleted, and would throw away what is woken for it.
create function restore_environment(organization uuid, environment uuid) returns boolean
  language plpgsql security definer set search_path from current set lock_timeout = '2s' as $$
begin
  perform pg_advisory_xact_lock(environment_lock(environment));
  update environment e set state = 'draining', state_since = clock_timestamp(),
    frozen_until = clock_timestamp() + interval '1 second', deleted_at = null, purged_after = null
  where e.id = environment and e.organization_id = organization and e.deleted_at is not null
    and e.purged_after > clock_timestamp();
  return found;
end $$;

-- A batch of what a deleted environment holds in a table or partition: partitions have no policy of their own. Only when
-- nobody can restore it any more.
create function purge_environment_rows(environment uuid, leaf regclass, most integer) returns integer
  language plpgsql security definer set search_path from current as $$
declare
  gone integer;
begin
  execute format('delete from %1$s t where t.ctid = any (array(
      select o.ctid from %1$s o where o.environment_id = $1 limit $2))
    and exists (select 1 from environment e
      where e.id = $1 and e.state = ''departed'' and e.purged_after <= clock_timestamp())', leaf)
    using environment, most;
  get diagnostics gone = row_count;
  return gone;
end $$;
