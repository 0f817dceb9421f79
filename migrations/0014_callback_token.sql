-- Mailgun signs a token and not the body: whoever saw one call could send another body with its token for as long as its
-- time is recent. So a token is good for one call, on whatever node. Only a digest is kept, and only for that long.
create table callback_token (
  environment_id uuid not null,
  integration_id uuid not null,
  digest bytea not null,
  expires_at timestamptz(3) not null,
  primary key (environment_id, integration_id, digest),
  foreign key (environment_id, integration_id) references integration on delete cascade
);
create index callback_token_expiry on callback_token (expires_at);
alter table callback_token enable row level security;
create policy tenant on callback_token using (environment_id = (select current_environment()));

create function purge_callback_tokens(moment timestamptz, most integer) returns integer
  language sql security definer set search_path from current
  as $$
    with old as (
      delete from callback_token t using (
        select o.environment_id, o.integration_id, o.digest from callback_token o
        where o.expires_at <= moment order by o.expires_at limit most for update skip locked) o
      where (t.environment_id, t.integration_id, t.digest) = (o.environment_id, o.integration_id, o.digest) returning 1)
    select count(*)::integer from old
  $$;
