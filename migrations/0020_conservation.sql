-- Nothing is lost: what was promised is compared with the rows that are there, all of it, slowly, again and again.

-- One row: how far the comparison has come, and what it missed by table, in this round and in the one before.
create table conservation (
  one boolean primary key default true check (one),
  place jsonb,
  missing jsonb not null default '{}',
  last_missing jsonb not null default '{}',
  round_ended_at timestamptz(3),
  -- A message that a caller deletes leaves its job's list since this version. Older lists may name deleted ones.
  messages_from timestamptz(3) not null
);
insert into conservation (messages_from)
  select case when exists (select 1 from message) then now() + interval '1 day' else to_timestamp(0) end;

-- The comparison goes from one environment to the next: it needs their ids, under row-level security too.
create function next_environment(after uuid) returns uuid
  language sql stable security definer set search_path from current
  as $$ select min(id::text)::uuid from environment where after is null or id > after $$;
