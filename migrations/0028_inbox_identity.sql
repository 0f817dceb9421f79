-- Who asks for an inbox. A browser names its environment by a public identifier, and shows by a hash that the customer's
-- own server vouches for the person: an HMAC with the text of an API key, or with a signing secret made for this alone.
-- Both are kept sealed. A key made before this migration is sealed when it is used next.

alter table environment
  add column identifier text collate "C" not null default 'te_' || replace(gen_random_uuid()::text, '-', ''),
  add column signing_secret text;
create unique index environment_identifier on environment (identifier);

alter table api_key add column sealed_text text;

-- Before the environment is known, as for keys.
create function find_environment(public_identifier text) returns table (environment_id uuid, organization_id uuid)
  language sql stable security definer set search_path from current
  as $$ select e.id, e.organization_id from environment e where e.identifier = public_identifier $$;
