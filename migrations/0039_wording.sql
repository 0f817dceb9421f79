-- What is written around and into messages besides workflows: layouts and translations. Each change of any of it is an
-- edition of the environment. An event remembers the edition it was accepted with, and what was in force then is the
-- newest version that is not newer than it: what runs goes on with the words it began with.
create table edition (
  environment_id uuid not null references environment,
  number integer not null,
  -- Whose translations stand where a reader's own language has none.
  default_locale text not null,
  created_at timestamptz(3) not null,
  created_by uuid,
  primary key (environment_id, number)
);
alter table edition enable row level security;
create policy tenant on edition
  using (environment_id = (select current_environment()) or (select is_system()));

-- Null: there was none.
alter table event add column edition integer;

create table layout (
  environment_id uuid not null references environment,
  id uuid not null,
  identifier text not null,
  name text not null,
  is_default boolean not null default false,
  -- Of its newest version.
  edition integer not null,
  created_by uuid,
  updated_by uuid,
  updated_at timestamptz(3) not null,
  deleted_at timestamptz(3),
  primary key (environment_id, id)
);
create unique index layout_identifier on layout (environment_id, identifier) where deleted_at is null;
create unique index layout_default on layout (environment_id) where is_default and deleted_at is null;
alter table layout enable row level security;
create policy tenant on layout
  using (environment_id = (select current_environment()) or (select is_system()));

create table layout_version (
  environment_id uuid not null,
  layout_id uuid not null,
  edition integer not null,
  -- As they were then: steps name a layout by its identifier.
  identifier text not null,
  is_default boolean not null,
  -- Null: it was deleted.
  definition jsonb,
  created_at timestamptz(3) not null,
  created_by uuid,
  primary key (environment_id, layout_id, edition)
);
alter table layout_version enable row level security;
create policy tenant on layout_version
  using (environment_id = (select current_environment()) or (select is_system()));

-- The words of a workflow or layout in one language, each time they were changed.
create table translation (
  environment_id uuid not null,
  resource_type text not null check (resource_type in ('workflow', 'layout')),
  resource_id uuid not null,
  -- As BCP 47 writes it: de-AT.
  locale text not null,
  edition integer not null,
  -- By key, nested. Null: they were deleted.
  content jsonb,
  created_at timestamptz(3) not null,
  created_by uuid,
  primary key (environment_id, resource_type, resource_id, locale, edition)
);
alter table translation enable row level security;
create policy tenant on translation
  using (environment_id = (select current_environment()) or (select is_system()));
