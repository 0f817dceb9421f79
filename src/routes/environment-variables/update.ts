import { updateVariable } from '../../core/values/change-variables.ts'
import { toVariableJson, variablePatchInput, variableSchema } from '../../core/values/variable-json.ts'
import { defineRoute } from '../../http/define-route.ts'

export default defineRoute({
  method: 'PATCH',
  path: '/v1/environment-variables/{variableKey}',
  summary: 'Change a variable of templates; the next message has the new value',
  body: variablePatchInput,
  response: variableSchema,
  handler: async ({ params, body, ...scope }) => toVariableJson(await updateVariable(scope, params.variableKey, body)),
})
