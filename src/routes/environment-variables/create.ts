import { createVariable } from '../../core/values/change-variables.ts'
import { newVariableInput, toVariableJson, variableSchema } from '../../core/values/variable-json.ts'
import { defineRoute } from '../../http/define-route.ts'

export default defineRoute({
  method: 'POST',
  path: '/v1/environment-variables',
  summary: 'Create a variable of templates ({{env.KEY}}), with a value for each environment',
  body: newVariableInput,
  response: variableSchema,
  handler: async ({ body, ...scope }) => toVariableJson(await createVariable(scope, body)),
})
