import { Type } from 'typebox'
import { createEnvironment } from '../../core/access/change-environments.ts'
import {
  environmentColor,
  environmentName,
  listedEnvironmentSchema,
  toListedEnvironment,
} from '../../core/access/environment-json.ts'
import { defineRoute } from '../../http/define-route.ts'
import { fields } from '../../lib/schemas.ts'

export default defineRoute({
  method: 'POST',
  path: '/v1/environments',
  summary: 'Create an environment to publish to; it is empty and has no key yet',
  body: fields({
    name: environmentName,
    color: environmentColor,
    parentId: Type.Optional(Type.String({ description: 'What is published to it comes from there.' })),
  }),
  status: 201,
  response: listedEnvironmentSchema,
  handler: async ({ body, ...scope }) => toListedEnvironment(await createEnvironment(scope, body)),
})
