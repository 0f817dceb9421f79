import { Type } from 'typebox'
import { getSource, publish } from '../../core/publishing/publish.ts'
import { toPublishedJson } from '../../core/publishing/published-json.ts'
import {
  fingerprintInput,
  noteInput,
  publishedSchema,
  readResources,
  resourcesInput,
  sourceInput,
} from '../../core/publishing/publishing-json.ts'
import { defineRoute } from '../../http/define-route.ts'
import { fields } from '../../lib/schemas.ts'

export default defineRoute({
  method: 'POST',
  path: '/v2/environments/{targetEnvironmentId}/publish',
  summary: 'Publish workflows, layouts and translations to an environment: all of it at once, or nothing',
  body: fields({
    sourceEnvironmentId: sourceInput,
    dryRun: Type.Optional(Type.Boolean({ description: 'Only says what would be done.' })),
    resources: resourcesInput,
    fingerprint: fingerprintInput,
    note: noteInput,
  }),
  response: publishedSchema,
  // What is published is in memory until it is written.
  isHeavy: () => 'node',
  actsIn: ({ params }) => params.targetEnvironmentId,
  async handler({ body, ...scope }) {
    const { dryRun = false, note = null, fingerprint = null } = body
    const source = await getSource(scope.db, scope.env, body.sourceEnvironmentId)
    const chosen = readResources(body.resources)
    return toPublishedJson(await publish(scope, source, { chosen, dryRun, note, fingerprint }), { chosen, dryRun })
  },
})
