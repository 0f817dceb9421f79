-- Under row-level security the work that belongs to no environment (timers, purges, the sweep, conserve) saw nothing: a
-- role that is not the owner sees the environment that its transaction has named, and this work names none. Now a
-- connection says that it does such work; a transaction that names an environment takes it back for its time.
create function is_system() returns boolean language sql stable
  as $$ select coalesce(current_setting('tidings.system', true), '') = 'on' $$;

do $$
declare
  tenant record;
begin
  for tenant in select tablename, qual from pg_policies where schemaname = current_schema() and policyname = 'tenant' loop
    execute format('alter policy tenant on %I using (%s or (select is_system()))', tenant.tablename, tenant.qual);
  end loop;
end $$;
create policy tenant on organization using ((select is_system()));
