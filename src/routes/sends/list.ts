import { Type } from 'typebox'
import { sendSchema, toSendJsons } from '../../core/sends/send-json.ts'
import { defineRoute } from '../../http/define-route.ts'
import { fields, oneOf, pageOf, pageQuery } from '../../lib/schemas.ts'
import { listSends, sendStates } from '../../store/sends/sends.ts'

const open = sendStates.filter((state) => state !== 'done' && state !== 'canceled')

export default defineRoute({
  method: 'GET',
  path: '/v1/sends',
  summary: 'List events to more than 300 people, and others that somebody paused, newest first',
  query: fields({
    state: Type.Optional(oneOf(['open', ...sendStates], { description: 'open: all that are not over.' })),
    ...pageQuery(100),
  }),
  response: pageOf(sendSchema),
  async handler({ db, env, query }) {
    const { page = 0, limit = 10, state } = query
    const states = state === undefined ? sendStates : state === 'open' ? open : [state]
    const { items, hasMore, totalCount } = await listSends(db, env, states, { page, limit })
    return { data: await toSendJsons(db, env, items), hasMore, pageSize: limit, page, totalCount }
  },
})
