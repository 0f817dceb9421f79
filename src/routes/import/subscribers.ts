import { Type } from 'typebox'
import { importedPeopleSchema, importPeople } from '../../core/import/import-people.ts'
import { personShown } from '../../core/import/read-people.ts'
import { defineRoute } from '../../http/define-route.ts'
import { describedAs, fields, freeObject } from '../../lib/schemas.ts'

export default defineRoute({
  method: 'POST',
  path: '/v1/import/subscribers',
  summary:
    'Make up to 500 subscribers what another service says of them: profile, channels, preferences, schedule. Says what changed',
  body: fields({
    dryRun: Type.Optional(Type.Boolean({ description: 'Only says what would be changed.' })),
    // The handler checks each entry by itself: one bad field costs that field.
    subscribers: Type.Array(describedAs(freeObject, personShown), { minItems: 1, maxItems: 500 }),
  }),
  contentCheckedByHandler: 'subscribers',
  bodyLimitBytes: 25 * 1024 * 1024,
  response: importedPeopleSchema,
  handler: ({ ctx, db, env, now, body }) =>
    importPeople({ ctx, db, env, now, dryRun: body.dryRun ?? false }, body.subscribers),
})
