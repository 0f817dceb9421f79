-- Who has an inbox open, and through which node. A node that no longer says that it runs is swept, and its people with it.
create table inbox_node (
  id uuid primary key,
  seen_at timestamptz(3) not null
);

create table presence (
  environment_id uuid not null,
  subscriber_id uuid not null,
  node_id uuid not null references inbox_node on delete cascade,
  primary key (environment_id, subscriber_id, node_id),
  foreign key (environment_id, subscriber_id) references subscriber on delete cascade
);
create index presence_node on presence (node_id);

alter table presence enable row level security;
create policy tenant on presence
  using (environment_id = (select current_environment()) or (select is_system()));
