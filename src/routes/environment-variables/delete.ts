import { deleteVariable } from '../../core/values/change-variables.ts'
import { defineRoute } from '../../http/define-route.ts'

export default defineRoute({
  method: 'DELETE',
  path: '/v1/environment-variables/{variableKey}',
  summary: 'Delete a variable of templates, in the environments that this key can get at',
  status: 204,
  handler: ({ params, ...scope }) => deleteVariable(scope, params.variableKey),
})
