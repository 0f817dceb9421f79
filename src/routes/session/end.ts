import { defineSessionRoute } from '../../http/define-route.ts'

export default defineSessionRoute({
  method: 'DELETE',
  path: '/session',
  summary: 'Sign out: the cookie is dead on every node within 5 seconds',
  auth: 'session',
  status: 204,
  handler: ({ signOut }) => signOut(),
})
