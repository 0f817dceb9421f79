import { accountSchema } from '../../core/people/account-json.ts'
import { showAccount } from '../../core/people/show-account.ts'
import { defineSessionRoute } from '../../http/define-route.ts'

export default defineSessionRoute({
  method: 'GET',
  path: '/session/account',
  summary: 'The account of the person who is signed in, and the organizations they are in',
  auth: 'session',
  response: accountSchema,
  handler: ({ ctx, person }) => showAccount(ctx, person().self),
})
