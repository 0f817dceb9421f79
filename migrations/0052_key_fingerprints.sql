-- Two nodes can have different bytes under the same key id. Each announces a fingerprint of each of its keys, in the order of
-- key_ids, so that `secrets reseal` can compare them before the key seals anything.
alter table node add column key_fingerprints text[] not null default '{}';

-- A role that serves under row-level security does not own the tables, and has no rights on a table that was made after its
-- grants. Every start announces its keys, so it would not start any more.
do $$
declare
  held record;
begin
  for held in
    select a.grantee::regrole::text as grantee, lower(a.privilege_type) as privilege
    from pg_class c, aclexplode(c.relacl) a
    where c.oid = 'encryption_key'::regclass and a.grantee <> 0 and a.grantee <> c.relowner
      and a.privilege_type in ('SELECT', 'INSERT', 'UPDATE', 'DELETE')
  loop
    execute format('grant %s on node to %s', held.privilege, held.grantee);
  end loop;
end $$;
