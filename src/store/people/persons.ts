import { sql } from 'kysely'
import type { Db } from '../database.ts'

export type Person = {
  id: string
  email: string
  name: string
  /** Null: signs in by other means only. */
  passwordHash: string | null
  /** Signs in with a second proof besides the password. */
  twoFactor: boolean
}

const columns = sql`p.id, p.email, p.name, p.password_hash as "passwordHash",
  p.totp_confirmed_at is not null as "twoFactor"`

/** As people write it is not as it is kept. */
export function normalEmail(text: string): string {
  return text.trim().toLowerCase()
}

export async function findPersonByEmail(db: Db, email: string): Promise<Person | null> {
  const { rows } = await sql<Person>`select ${columns} from person p where p.email = ${normalEmail(email)}`.execute(db)
  return rows[0] ?? null
}

/** From where somebody signed in within the last month. */
export async function listPlacesOf(db: Db, email: string, now: Date): Promise<string[]> {
  const { rows } = await sql<{ address: string }>`
    select distinct s.address from person p join person_session s on s.person_id = p.id
    where p.email = ${normalEmail(email)} and s.address is not null
      and s.expires_at > ${now}::timestamptz - interval '30 days'`.execute(db)
  return rows.map(({ address }) => address)
}

/** True if what was proved still holds; until the transaction ends nobody changes it. */
export async function holdProof(
  db: Db,
  { id, passwordHash, twoFactor }: Pick<Person, 'id' | 'passwordHash' | 'twoFactor'>,
): Promise<boolean> {
  const { rows } = await sql`
    select 1 from person where id = ${id} and password_hash = ${passwordHash}
      and (totp_confirmed_at is not null) = ${twoFactor} for share`.execute(db)
  return rows.length > 0
}

export async function findPerson(db: Db, id: string): Promise<Person | null> {
  const { rows } = await sql<Person>`select ${columns} from person p where p.id = ${id}`.execute(db)
  return rows[0] ?? null
}

export type ListedPerson = {
  email: string
  name: string
  hasPassword: boolean
  twoFactor: boolean
  organizations: { name: string; role: string | null }[]
}

/** Of the whole installation, by address. `words`: part of an address or a name. */
export async function listPersons(db: Db, words: string): Promise<ListedPerson[]> {
  const { rows } = await sql<ListedPerson>`
    select p.email, p.name, p.password_hash is not null as "hasPassword", p.totp_confirmed_at is not null as "twoFactor",
      (select jsonb_agg(jsonb_build_object('name', o.name, 'role', m.role) order by m.created_at, o.id)
        from member m join organization o on o.id = m.organization_id where m.person_id = p.id) as organizations
    from person p
    where strpos(lower(p.email || ' ' || p.name), lower(${words})) > 0
      and exists (select 1 from member m where m.person_id = p.id)
    order by p.email limit 1000`.execute(db)
  return rows
}

export type NewPerson = Pick<Person, 'id' | 'email' | 'name' | 'passwordHash'>

/** False: somebody has this address. */
export async function insertPerson(db: Db, person: NewPerson, now: Date): Promise<boolean> {
  const { rows } = await sql`
    insert into person (id, email, name, password_hash, updated_at)
    values (${person.id}, ${normalEmail(person.email)}, ${person.name}, ${person.passwordHash}, ${now})
    on conflict (email) do nothing returning id`.execute(db)
  return rows.length > 0
}

/** False: it is another one than before already. Links to reset it open nothing any more. */
export async function replacePassword(
  db: Db,
  personId: string,
  { before, after }: { before: string | null; after: string },
  now: Date,
): Promise<boolean> {
  const { rows } = await sql`
    with changed as (
      update person set password_hash = ${after}, updated_at = ${now}
      where id = ${personId} and password_hash is not distinct from ${before} returning id),
    void as (delete from password_reset where person_id in (select id from changed))
    select id from changed`.execute(db)
  return rows.length > 0
}

export async function renamePerson(db: Db, personId: string, name: string, now: Date): Promise<void> {
  await sql`update person set name = ${name}, updated_at = ${now} where id = ${personId}`.execute(db)
}

/** Only if they are a member nowhere. */
export async function forgetStranger(db: Db, personId: string): Promise<void> {
  await sql`select forget_stranger(${personId})`.execute(db)
}
