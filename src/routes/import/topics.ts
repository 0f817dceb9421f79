import { Type } from 'typebox'
import { importedTopicsSchema, importTopics, mostMembers, topicShown } from '../../core/import/import-topics.ts'
import { invalidField } from '../../errors.ts'
import { defineRoute } from '../../http/define-route.ts'
import { describedAs, fields, freeObject } from '../../lib/schemas.ts'

export default defineRoute({
  method: 'POST',
  path: '/v1/import/topics',
  summary: 'Make up to 500 topics, with up to 1,000 members, what another service says of them. Says what changed',
  body: fields({
    dryRun: Type.Optional(Type.Boolean({ description: 'Only says what would be changed.' })),
    topics: Type.Array(describedAs(freeObject, topicShown), { minItems: 1, maxItems: 500 }),
  }),
  contentCheckedByHandler: 'topics',
  bodyLimitBytes: 25 * 1024 * 1024,
  response: importedTopicsSchema,
  async handler({ ctx, db, env, now, body }) {
    const count = body.topics.reduce((sum, { members }) => sum + (Array.isArray(members) ? members.length : 0), 0)
    if (count > mostMembers) throw invalidField('topics', `have ${count} members together; at most ${mostMembers}`)
    return importTopics({ ctx, db, env, now, dryRun: body.dryRun ?? false }, body.topics)
  },
})
