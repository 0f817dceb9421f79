import { numbersNowSchema, readNumbersNow } from '../../core/numbers/numbers-now.ts'
import { defineRoute } from '../../http/define-route.ts'

export default defineRoute({
  method: 'GET',
  path: '/v1/numbers/now',
  summary: 'What is wrong right now, what to do about it, and where to look',
  response: numbersNowSchema,
  handler: ({ ctx, db, env, now }) => readNumbersNow(ctx, db, env, now),
})
