import { parseArgs } from 'node:util'
import type { Config } from '../config.ts'
import type { Ctx } from '../context.ts'
import { linkTo } from '../core/own-mails/links.ts'
import { makeWayBack } from '../core/people/way-back.ts'
import { noteChange } from '../core/record/note-change.ts'
import { writeRecord } from '../core/record/write-record.ts'
import { inTransaction } from '../store/database.ts'
import { listOrganizationsOf } from '../store/people/members.ts'
import { findPersonByEmail, listPersons } from '../store/people/persons.ts'
import { organizationCommandEnv } from './as-command.ts'
import { prepare, type Say, sayNewKey } from './prepare.ts'

/** `people list [words]`, `people link <e-mail> [--without-second-proof]` */
export async function peopleCommand(config: Config, [verb = '', ...args]: string[], say: Say): Promise<void> {
  const actions = { list: listPeople, link: linkPerson }
  if (!Object.hasOwn(actions, verb))
    throw new Error('Say: people list [words] | people link <e-mail> [--without-second-proof]')
  const prepared = await prepare(config, () => {})
  const { ctx, close } = prepared
  try {
    sayNewKey(prepared, say)
    await actions[verb as keyof typeof actions](ctx, args, say)
  } finally {
    await close()
  }
}

async function listPeople(ctx: Ctx, args: string[], say: Say): Promise<void> {
  const words = args.join(' ')
  const people = await listPersons(ctx.database.db, words)
  if (people.length === 0) say(words === '' ? 'Nobody has an account here.' : `Nobody is called "${words}".`)
  for (const { email, name, hasPassword, twoFactor, organizations } of people) {
    const marks = [hasPassword ? 'password' : 'no password', ...(twoFactor ? ['second proof'] : [])].join(', ')
    const places = organizations.map((it) => `${it.role ?? 'in environments'} of "${it.name}"`).join(', ')
    say(`${email}  ${name}  ${places}  (${marks})`)
  }
}

async function linkPerson(ctx: Ctx, args: string[], say: Say): Promise<void> {
  const { values, positionals } = parseArgs({
    args,
    options: { 'without-second-proof': { type: 'boolean', default: false } },
    allowPositionals: true,
  })
  const [email = ''] = positionals
  const person = await findPersonByEmail(ctx.database.db, email)
  if (!person) throw new Error(`Nobody has the address "${email}"; npm start -- people list shows who is here.`)
  const withoutSecondProof = values['without-second-proof']
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
  say(`A link for ${person.name} to choose a new password, shown this once:\n`)
  say(`  ${linkTo(publicUrl ?? `http://localhost:${port}`, 'reset', made.token)}\n`)
  say(
    `It works once, until ${made.expiresAt.toISOString()}; links from before open nothing. Using it ends all sessions.`,
  )
  if (made.isSecondProofGone) say('The second proof is off, and its recovery codes open nothing.')
  else if (person.twoFactor)
    say('The second proof is asked for afterwards. Is the phone lost, too? Add --without-second-proof.')
}
