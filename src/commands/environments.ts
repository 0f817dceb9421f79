import type { Config } from '../config.ts'
import { issueApiKey } from '../core/operations/bootstrap.ts'
import { insertEnvironment, insertOrganization, listEnvironments } from '../store/access/environments.ts'
import { inTransaction } from '../store/database.ts'
import { movesCommand } from './environment-moves.ts'
import { prepare, type Say, sayNewKey } from './prepare.ts'

const movesVerbs = new Set(['move', 'moves', 'forget'])

/** `environments list`, `environments create <name> [organization name]`; those between cells are in another file. */
export async function environmentsCommand(config: Config, args: string[], say: Say): Promise<void> {
  const [verb, name, organization] = args
  if (verb !== undefined && movesVerbs.has(verb)) return movesCommand(config, verb, args.slice(1), say)
  if (verb !== 'list' && !(verb === 'create' && name)) {
    throw new Error(
      'Say: environments list | environments create <name> [organization name] | environments move | moves | forget',
    )
  }
  const prepared = await prepare(config, () => {})
  const { ctx, close } = prepared
  try {
    sayNewKey(prepared, say)
    const { db } = ctx.database
    const known = await listEnvironments(db)
    if (verb === 'list' || !name) {
      for (const it of known) {
        say(
          `${it.id}  ${it.name}  organization ${it.organizationId} "${it.organizationName}"  identifier ${it.identifier}`,
        )
      }
      return
    }
    const key = await inTransaction(db, async (trx) => {
      const now = ctx.clock()
      const found = organization ? known.find((it) => it.organizationName === organization) : known[0]
      const organizationId =
        found?.organizationId ?? (await insertOrganization(trx, organization ?? 'My organization', now))
      const environmentId = await insertEnvironment(trx, organizationId, name, now)
      return issueApiKey(trx, { environmentId, name: 'first key', cell: ctx.config.cell, now, sealer: ctx.sealer })
    })
    say(`Environment "${name}" is there. Its API key, shown this once:\n\n  ${key}\n`)
  } finally {
    await close()
  }
}
