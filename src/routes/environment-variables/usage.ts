import { Type } from 'typebox'
import { getVariable } from '../../core/values/change-variables.ts'
import { defineRoute } from '../../http/define-route.ts'
import { listVariableUsers } from '../../store/values/variables.ts'

export default defineRoute({
  method: 'GET',
  path: '/v1/environment-variables/{variableKey}/usage',
  summary: 'The workflows of this environment that ask for a variable in a template or a condition',
  response: Type.Object({
    workflows: Type.Array(Type.Object({ name: Type.String(), workflowId: Type.String() })),
  }),
  async handler({ params, ...scope }) {
    const { key } = await getVariable(scope, params.variableKey)
    return { workflows: await listVariableUsers(scope.db, scope.env, key) }
  },
})
