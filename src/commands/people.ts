import { linkTo } from '../core/own-mails/links.ts'
import { makeWayBack } from '../core/people/way-back.ts'
import { noteChange } from '../core/record/note-change.ts'
import { writeRecord } from '../core/record/write-record.ts'
import { inTransaction } from '../store/database.ts'
import { listOrganizationsOf } from '../store/people/members.ts'
import { findPersonByEmail, listPersons } from '../store/people/persons.ts'
import { organizationCommandEnv } from './as-command.ts'
import type { Host } from './host.ts'
import { withContext } from './prepare.ts'

export async function listPeople(host: Host, given: string[]): Promise<void> {
  const { print } = host
  await withContext(host, async (ctx) => {
    const words = given.join(' ')
    const people = await listPersons(ctx.database.db, words)
    if (people.length === 0) print(words === '' ? 'Nobody has an account here.' : `No account matches "${words}".`)
    for (const { email, name, hasPassword, twoFactor, organizations } of people) {
      const marks = [hasPassword ? 'password' : 'no password', ...(twoFactor ? ['second proof'] : [])].join(', ')
      const places = organizations.map((it) => `${it.role ?? 'in environments'} of "${it.name}"`).join(', ')
      print(`${email}  ${name}  ${places}  (${marks})`)
    }
  })
}

export async function linkPerson(
  host: Host,
  email: string,
  { withoutSecondProof = false }: { withoutSecondProof?: boolean },
): Promise<void> {
  const { print } = host
  await withContext(host, async (ctx) => {
    const person = await findPersonByEmail(ctx.database.db, email)
    if (!person) throw new Error(`Nobody has the address "${email}"; npm start -- people list shows who is here.`)
    const made = await inTransaction(ctx.database.db, async (db) => {
      const now = ctx.clock()
      const back = await makeWayBack(db, person, { withoutSecondProof }, now)
      const change = back.isSecondProofGone ? { before: { twoFactor: true }, after: { twoFactor: false } } : {}
      for (const { id: organizationId } of await listOrganizationsOf(db, person.id)) {
        noteChange(db, { type: 'person', id: person.id, name: person.name }, change)
        const env = organizationCommandEnv(organizationId, 'people link')
        await writeRecord(db, env, { action: 'people.link', ofOrganization: true }, now)
      }
      return back
    })
    const { publicUrl, port } = ctx.config
    print(`A link for ${person.name} to choose a new password, shown this once:\n`)
    print(`  ${linkTo(publicUrl ?? `http://localhost:${port}`, 'reset', made.token)}\n`)
    print(
      `It works once, until ${made.expiresAt.toISOString()}; earlier links no longer work. Using it ends all sessions.`,
    )
    if (made.isSecondProofGone) print('The second proof is off, and its recovery codes no longer work.')
    else if (person.twoFactor)
      print('The second proof is still asked for afterwards. If it is lost as well, add --without-second-proof.')
  })
}
