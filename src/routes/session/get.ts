import { sessionSchema } from '../../http/dashboard/session-json.ts'
import { defineSessionRoute } from '../../http/define-route.ts'

export default defineSessionRoute({
  method: 'GET',
  path: '/session',
  summary: 'Who is signed in',
  auth: 'session',
  response: sessionSchema,
  handler: ({ session, show }) => show(session),
})
