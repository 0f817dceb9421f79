import { ApiError } from '../../errors.ts'
import { defineRoute } from '../../http/define-route.ts'
import { deleteChannels } from '../../store/subscriber-channels.ts'
import { lockSubscriber, touchSubscriber } from '../../store/subscribers.ts'

export default defineRoute({
  method: 'DELETE',
  path: '/v1/subscribers/{subscriberId}/credentials/{providerId}',
  summary: 'Forget the credentials a subscriber has for one provider',
  status: 204,
  async handler({ db, env, now, params }) {
    const subscriber = await lockSubscriber(db, env, params.subscriberId)
    if (!subscriber) throw new ApiError('subscriber_not_found')
    if (!(await deleteChannels(db, env, subscriber.id, params.providerId))) throw new ApiError('channel_not_found')
    await touchSubscriber(db, env, subscriber.id, now)
  },
})
