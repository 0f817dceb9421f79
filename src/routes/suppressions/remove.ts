import { noteSuppression } from '../../core/addresses/note-suppression.ts'
import { ApiError } from '../../errors.ts'
import { defineRoute } from '../../http/define-route.ts'
import { removeSuppression } from '../../store/suppressions.ts'

export default defineRoute({
  method: 'DELETE',
  path: '/v1/suppressions/{channel}/{address}',
  summary: 'Take an address off the suppression list',
  status: 204,
  async handler({ db, env, params }) {
    if (!(await removeSuppression(db, env, params.channel, params.address))) {
      throw new ApiError('suppression_not_found')
    }
    noteSuppression(db, params, 'before')
  },
})
