import { numbersQuery, numbersSchema, readNumbers } from '../../core/numbers/read-numbers.ts'
import { defineRoute } from '../../http/define-route.ts'

export default defineRoute({
  method: 'GET',
  path: '/v1/numbers',
  summary: 'What happened, counted over time: events, messages and steps by outcome, channel, workflow and provider',
  query: numbersQuery,
  response: numbersSchema,
  handler: ({ db, env, now, query }) => readNumbers(db, env, query, now),
})
