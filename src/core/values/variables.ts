import type { Ctx } from '../../context.ts'
import { secretPlaces } from '../../lib/secret-places.ts'
import type { Db, Env } from '../../store/database.ts'
import { listOwnVariables } from '../../store/values/variables.ts'
import { secretMask } from './variable-json.ts'

/** What templates see as `env`. */
export type Variables = Readonly<Record<string, string>>

export const noVariables: Variables = Object.freeze({})

const known = new WeakMap<object, boolean>()
// As JSON, where a new line before it is a backslash and an n, and other such characters are `\u` and four digits.
const mention = /(?:\b|\\[bfnrt]|\\u[0-9a-f]{4})env\b/

/** Whether something that is stored may ask for variables; asked once of each object, which must not change. */
export function mentionsVariables(stored: object): boolean {
  const mentions = known.get(stored) ?? mention.test(JSON.stringify(stored))
  known.set(stored, mentions)
  return mentions
}

/** The values of an environment, as the next message has them. */
export async function loadVariables(ctx: Ctx, db: Db, env: Pick<Env, 'environmentId'>): Promise<Variables> {
  const rows = await listOwnVariables(db, env)
  return Object.fromEntries(rows.map((row) => [row.key, ctx.sealer.open(secretPlaces.variable(row), row.value)]))
}

/** The same, and those values that belong in no text that people read. */
export async function loadVariablesWithSecrets(
  ctx: Ctx,
  db: Db,
  env: Pick<Env, 'environmentId'>,
): Promise<{ variables: Variables; secrets: string[] }> {
  const opened = (await listOwnVariables(db, env)).map((row) => {
    return { ...row, value: ctx.sealer.open(secretPlaces.variable(row), row.value) }
  })
  return {
    variables: Object.fromEntries(opened.map(({ key, value }) => [key, value])),
    secrets: opened.flatMap(({ isSecret, value }) => (isSecret ? value : [])),
  }
}

/** The same for people to look at: secrets are masked. */
export async function showVariables(ctx: Ctx, db: Db, env: Pick<Env, 'environmentId'>): Promise<Variables> {
  const rows = await listOwnVariables(db, env)
  const shown = (row: (typeof rows)[number]) =>
    row.isSecret ? secretMask : ctx.sealer.open(secretPlaces.variable(row), row.value)
  return Object.fromEntries(rows.map((row) => [row.key, shown(row)]))
}
