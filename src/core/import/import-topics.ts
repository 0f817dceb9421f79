import { type Static, Type } from 'typebox'
import { findRefusedContent } from '../../lib/read-json.ts'
import { fields, freeObject, oneOf } from '../../lib/schemas.ts'
import { faultFinder } from '../../lib/validate.ts'
import { findTopics, saveTopics } from '../../store/import/members.ts'
import { importedMembers, importMembers, memberShown } from './import-members.ts'
import { type ImportAction, importActions, leftSchema, type Scope } from './import-scope.ts'

const topic = {
  key: Type.String({ minLength: 1, maxLength: 100, format: 'topic-key' }),
  name: Type.Optional(Type.String({ maxLength: 100 })),
}
/** As the reference shows it. */
export const topicShown = fields({ ...topic, members: Type.Optional(Type.Array(memberShown)) })
const topicInput = fields({ ...topic, members: Type.Optional(Type.Array(freeObject)) })
type GivenTopic = Static<typeof topicInput>
const faultOf = faultFinder(topicInput)

export const mostMembers = 1_000

export const importedTopicsSchema = Type.Object(
  {
    dryRun: Type.Boolean(),
    topics: Type.Array(
      Type.Object({
        key: Type.Optional(Type.String()),
        action: oneOf(importActions),
        left: leftSchema,
        members: Type.Array(importedMembers, { description: 'In the order of the request.' }),
      }),
      { description: 'In the order of the request.' },
    ),
  },
  { title: 'ImportedTopics' },
)

/**
 * Topics and who is in them, as another service says it. Some statements for all of them; what is here as given already is
 * not written, and who is a member here only stays one.
 */
export async function importTopics(scope: Scope, list: readonly Record<string, unknown>[]) {
  const faults = list.map(faultIn)
  // Validated.
  const given = list.map((it, at) => (faults[at] === null ? (it as GivenTopic) : null))
  const named = new Map(given.flatMap((it) => (it ? [[it.key, it.name] as const] : [])))
  const wanted = [...named].map(([key, name]) => ({ key, name }))
  const before = await findTopics(scope.db, scope.env, [...named.keys()])
  const actionOf = (key: string): ImportAction => {
    const [row, name] = [before.get(key), named.get(key)]
    if (!row) return 'created'
    return name === undefined || name === row.name ? 'unchanged' : 'updated'
  }
  if (!scope.dryRun) {
    const changed = wanted.filter(({ key }) => actionOf(key) !== 'unchanged')
    await saveTopics(scope.db, scope.env, changed, scope.now)
  }
  const members = await importMembers(
    scope,
    given.flatMap((it) => (it?.members ?? []).map((member) => ({ topicKey: it?.key ?? '', member }))),
  )
  let next = 0
  const topics = given.map((it, at) => {
    const fault = faults[at]
    if (!it) {
      const key = list[at]?.key
      const left = [{ field: 'topic', why: fault ?? 'is not valid' }]
      return { ...(typeof key === 'string' && { key }), action: 'failed' as const, left, members: [] }
    }
    const count = it.members?.length ?? 0
    const own = members.slice(next, next + count)
    next += count
    return { key: it.key, action: actionOf(it.key), left: [], members: own }
  })
  return { dryRun: scope.dryRun, topics }
}

function faultIn(given: Record<string, unknown>): string | null {
  const refused = findRefusedContent(given)
  return refused ? `${refused.path} ${refused.reason}` : faultOf(given)
}
