import { Type } from 'typebox'
import { invalidField } from '../../errors.ts'
import { sessionSchema, toSessionJson } from '../../http/dashboard/session-json.ts'
import { defineSessionRoute } from '../../http/define-route.ts'
import { fields } from '../../lib/schemas.ts'

export default defineSessionRoute({
  method: 'POST',
  path: '/session',
  summary: 'Sign in to the dashboard with an API key or a one-time link; sets the cookie of the session',
  auth: 'sign-in',
  body: fields({
    key: Type.Optional(Type.String({ minLength: 1, maxLength: 300, description: 'An API key.' })),
    link: Type.Optional(Type.String({ minLength: 1, maxLength: 300, description: 'The token of a sign-in link.' })),
  }),
  response: sessionSchema,
  async handler({ body, signIn }) {
    const isOneOfTwo = (body.key === undefined) !== (body.link === undefined)
    if (!isOneOfTwo) throw invalidField('key', 'or link must be sent, one of the two')
    return toSessionJson(await signIn(body))
  },
})
