import { getVariable } from '../../core/values/change-variables.ts'
import { toVariableJson, variableSchema } from '../../core/values/variable-json.ts'
import { defineRoute } from '../../http/define-route.ts'

export default defineRoute({
  method: 'GET',
  path: '/v1/environment-variables/{variableKey}',
  summary: 'Retrieve a variable of templates; a secret is masked',
  response: variableSchema,
  handler: async ({ params, ...scope }) => toVariableJson(await getVariable(scope, params.variableKey)),
})
