-- A departure may wait for its standby beyond the end of the freeze, and until it is committed nobody sees it. A COMMIT is
-- given up after 12 s: for so long loops pass over an environment whose freeze has run out.
create or replace function held_environments() returns uuid[] language sql volatile
  as $$
    select coalesce(array_agg(e.id), '{}') from environment e
    where e.state <> 'active' and (effective_state(e.state, e.frozen_until) <> 'active'
      or e.state = 'frozen' and e.frozen_until > clock_timestamp() - interval '15 seconds')
  $$;
