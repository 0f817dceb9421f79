import { Type } from 'typebox'
import { ApiError } from '../../errors.ts'
import { defineRoute } from '../../http/define-route.ts'
import { deleteSubscriber } from '../../store/subscribers.ts'

export default defineRoute({
  method: 'DELETE',
  path: '/v2/subscribers/{subscriberId}',
  summary: 'Delete a subscriber and erase profile, credentials and topic memberships',
  response: Type.Object({ acknowledged: Type.Boolean(), status: Type.String() }),
  async handler({ db, env, params }) {
    if (!(await deleteSubscriber(db, env, params.subscriberId))) throw new ApiError('subscriber_not_found')
    return { acknowledged: true, status: 'deleted' }
  },
})
