-- Contexts that are kept: what a type and an id stand for (a customer, an app), and its data for templates. Found or made
-- by the first event or inbox session that names it.
create table context (
  environment_id uuid not null references environment,
  id uuid not null,
  type text collate "C" not null,
  -- The caller's own.
  identifier text collate "C" not null,
  -- Null: none was given.
  data jsonb,
  updated_at timestamptz(3) not null,
  primary key (environment_id, id),
  unique (environment_id, type, identifier)
);
alter table context enable row level security;
create policy tenant on context
  using (environment_id = (select current_environment()) or (select is_system()));

-- The value that a variable of templates ({{env.KEY}}) has in an environment. A variable of the organization is what the
-- values of one key are together; a value moves with its environment.
create table environment_variable (
  environment_id uuid not null references environment,
  id uuid not null,
  key text collate "C" not null,
  is_secret boolean not null,
  -- Sealed. Null: the variable is known, and has no value here.
  value text,
  updated_at timestamptz(3) not null,
  primary key (environment_id, id),
  unique (environment_id, key)
);
alter table environment_variable enable row level security;
create policy tenant on environment_variable
  using (environment_id = (select current_environment()) or (select is_system()));

-- Of several environments of an organization, which a transaction of one of them cannot see. Who calls has proved that it
-- may read in each. `wanted`: one key; null: all.
create function environment_variables_of(organization uuid, environments uuid[], wanted text)
  returns table (environment_id uuid, id uuid, key text, is_secret boolean, value text, updated_at timestamptz)
  language sql stable security definer set search_path from current
  as $$
    select v.environment_id, v.id, v.key, v.is_secret, v.value, v.updated_at
    from environment e join environment_variable v on v.environment_id = e.id
    where e.organization_id = organization and e.id = any (environments) and (wanted is null or v.key = wanted)
    order by v.key, v.id
  $$;

-- Makes and changes values, each in its own environment, as if the transaction were in that one. Who calls has proved that
-- it may. False: one of them has more than `most` then, and nothing may be kept of it.
create function save_environment_variables(organization uuid, given jsonb, most integer) returns boolean
  language plpgsql security definer set search_path from current as $$
declare
  place uuid;
begin
  for place in select distinct (g ->> 'environmentId')::uuid from jsonb_array_elements(given) g order by 1 loop
    perform enter_environment(place);
  end loop;
  insert into environment_variable (environment_id, id, key, is_secret, value, updated_at)
  select g."environmentId", g.id, g.key, g."isSecret", g.value, g."updatedAt"
  from jsonb_to_recordset(given)
    as g ("environmentId" uuid, id uuid, key text, "isSecret" boolean, value text, "updatedAt" timestamptz)
  join environment e on e.id = g."environmentId" and e.organization_id = organization and e.deleted_at is null
  order by g."environmentId", g.id
  on conflict on constraint environment_variable_pkey do update
  set key = excluded.key, is_secret = excluded.is_secret, value = excluded.value, updated_at = excluded.updated_at;
  return not exists (
    select 1 from environment_variable v join environment e on e.id = v.environment_id
    where e.organization_id = organization
      and v.environment_id in (select (g ->> 'environmentId')::uuid from jsonb_array_elements(given) g)
    group by v.environment_id having count(*) > most);
end $$;

create function delete_environment_variables(organization uuid, environments uuid[], gone_key text) returns void
  language plpgsql security definer set search_path from current as $$
declare
  place uuid;
begin
  for place in select distinct p from unnest(environments) p order by 1 loop
    perform enter_environment(place);
  end loop;
  delete from environment_variable v using environment e
  where v.environment_id = any (environments) and v.key = gone_key
    and e.id = v.environment_id and e.organization_id = organization;
end $$;
