import { Type } from 'typebox'
import { listReachableVariables } from '../../core/values/change-variables.ts'
import { toVariableJson, variableSchema } from '../../core/values/variable-json.ts'
import { defineRoute } from '../../http/define-route.ts'
import { fields } from '../../lib/schemas.ts'

export default defineRoute({
  method: 'GET',
  path: '/v1/environment-variables',
  summary: 'List the variables of templates, with their values in the environments that this key can get at',
  query: fields({ search: Type.Optional(Type.String({ description: 'A part of the key, in any case.' })) }),
  response: Type.Array(variableSchema),
  handler: async ({ query, ...scope }) => (await listReachableVariables(scope, query.search)).map(toVariableJson),
})
