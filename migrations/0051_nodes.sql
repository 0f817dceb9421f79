-- The processes that run now, and the encryption keys that each of them holds: a key may seal only when all of them can open
-- what it seals.
create table node (
  id uuid primary key,
  role text not null,
  host text not null,
  pid integer not null,
  version text not null,
  key_ids text[] not null,
  -- The key that this process has sealed with since before its previous announcement.
  sealing_key text not null,
  seen_at timestamptz(3) not null
);
