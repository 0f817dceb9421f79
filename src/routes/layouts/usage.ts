import { Type } from 'typebox'
import { getLayout } from '../../core/layouts/save-layout.ts'
import { defineRoute } from '../../http/define-route.ts'
import { listLayoutUsers } from '../../store/wording/layouts.ts'

export default defineRoute({
  method: 'GET',
  path: '/v2/layouts/{layoutId}/usage',
  summary: 'The workflows that name a layout; of the default also those with an e-mail that names none',
  response: Type.Object({
    workflows: Type.Array(Type.Object({ name: Type.String(), workflowId: Type.String() })),
  }),
  async handler({ db, env, params }) {
    return { workflows: await listLayoutUsers(db, env, await getLayout(db, env, params.layoutId)) }
  },
})
