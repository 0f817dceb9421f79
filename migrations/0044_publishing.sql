-- What is in one environment is published to another one of the organization: all of it at once, and it can be put back.

-- What of a version counts when environments are compared: not the ids of its steps, which are each environment's own, and
-- not the templates that were made of it.
create function workflow_content(definition jsonb) returns jsonb language sql immutable
  as $$
    select definition || jsonb_build_object('steps', coalesce((
      select jsonb_agg(s.step - 'id' - 'compiled' || case when s.step ? 'variants' then jsonb_build_object('variants', (
          select jsonb_agg(v.variant - 'compiled' order by v.place)
          from jsonb_array_elements(s.step -> 'variants') with ordinality as v (variant, place))) else '{}' end
        order by s.place)
      from jsonb_array_elements(definition -> 'steps') with ordinality as s (step, place)), '[]'))
  $$;
create function content_hash(content jsonb) returns text language sql immutable
  as $$ select encode(sha256(convert_to(content::text, 'UTF8')), 'hex') $$;

create table publication (
  environment_id uuid not null references environment,
  id uuid not null,
  -- The environment that it came from, and its name then. Null: an earlier state was put back.
  source_id uuid,
  source_name text,
  -- The publication whose state was put back: that after it, or that before it.
  restored_id uuid,
  restored_state text check (restored_state in ('before', 'after')),
  note text,
  -- By name: kind, resourceId, name, action.
  changes jsonb not null,
  -- How many of each action.
  summary jsonb not null,
  -- The workflows and the edition that were in force: [id, version, active] of each, which never change afterwards. An
  -- edition names all layouts and translations. Null: there was none.
  workflows_before jsonb not null,
  edition_before integer,
  workflows_after jsonb not null,
  edition_after integer,
  created_at timestamptz(3) not null,
  created_by uuid,
  primary key (environment_id, id)
);
alter table publication enable row level security;
create policy tenant on publication
  using (environment_id = (select current_environment()) or (select is_system()));

-- What came by publishing, and from where: it goes by publishing when it is gone there.
create table published_resource (
  environment_id uuid not null,
  kind text not null check (kind in ('workflow', 'layout', 'workflow_words', 'layout_words')),
  -- Of the workflow or layout; of words, of what they belong to.
  resource_id uuid not null,
  -- Of words; otherwise empty.
  locale text not null,
  source_id uuid not null,
  primary key (environment_id, kind, resource_id, locale)
);
alter table published_resource enable row level security;
create policy tenant on published_resource
  using (environment_id = (select current_environment()) or (select is_system()));
