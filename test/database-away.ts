import { sql } from 'kysely'
import type { Db } from '../src/store/database.ts'

/** Every SQLSTATE by which PostgreSQL, or a pooler before it, says that it is away. */
export const awayStates = {
  '08000': 'connection exception',
  '08003': 'the connection does not exist',
  '08006': 'connection failure',
  '08P01': 'protocol violation, as poolers say it',
  '25006': 'read-only after a failover',
  '25P03': 'idle in a transaction for too long',
  '28000': 'a new primary that does not let us in yet',
  '28P01': 'a password that was changed',
  '3D000': 'a server without our database',
  '53100': 'disk full',
  '53200': 'out of memory',
  '53300': 'too many connections',
  '57P01': 'shut down by an administrator',
  '57P02': 'crashed',
  '57P03': 'starting',
  '57P04': 'database dropped',
  '57P05': 'idle for too long',
}

/** PostgreSQL refuses rows whose `column` begins with "away-<SQLSTATE>", with that SQLSTATE, this often each. */
export async function refuseWithState(admin: Db, table: string, column: string, times: number): Promise<void> {
  const sequences = Object.keys(awayStates).map((code) => `create sequence refused_${table}_${code};`)
  await sql
    .raw(`${sequences.join('\n')}
      create function refuse_${table}() returns trigger language plpgsql as $$
      declare state text := substring(new.${column} from '^away-(.....)');
      begin
        if state is not null and nextval('refused_${table}_' || state) <= ${times} then
          raise exception 'refused' using errcode = state;
        end if;
        return new; end $$;
      create trigger refuse before insert on ${table} for each row execute function refuse_${table}()`)
    .execute(admin)
}
