-- What people choose to be told, and when. Both go with their subscriber.

create table subscriber_preference (
  environment_id uuid not null,
  subscriber_id uuid not null,
  -- Null: the choices for every workflow.
  workflow_id uuid,
  -- A key holds no null; ids are unlike each other, so the subscriber's own can stand for "every workflow".
  scope uuid not null generated always as (coalesce(workflow_id, subscriber_id)) stored,
  -- Keys: all, in_app, email, sms, chat, push. Absent or null: no choice.
  choices jsonb not null check (jsonb_typeof(choices) = 'object'),
  updated_at timestamptz(3) not null,
  primary key (environment_id, subscriber_id, scope),
  foreign key (environment_id, subscriber_id) references subscriber on delete cascade,
  foreign key (environment_id, workflow_id) references workflow
);
alter table subscriber_preference enable row level security;
create policy tenant on subscriber_preference using (environment_id = (select current_environment()));

-- Weekly hours, read by the clocks of the subscriber's time zone, which is a field of the subscriber.
create table subscriber_schedule (
  environment_id uuid not null,
  subscriber_id uuid not null,
  enabled boolean not null,
  -- As it was sent: { monday: { isEnabled, hours: [{ start, end }] }, … }. Null: none yet.
  weekly jsonb,
  updated_at timestamptz(3) not null,
  primary key (environment_id, subscriber_id),
  foreign key (environment_id, subscriber_id) references subscriber on delete cascade
);
alter table subscriber_schedule enable row level security;
create policy tenant on subscriber_schedule using (environment_id = (select current_environment()));
