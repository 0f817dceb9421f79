import { type Static, Type } from 'typebox'
import { invalidField } from '../../errors.ts'
import { sessionSchema } from '../../http/dashboard/session-json.ts'
import type { SignIn } from '../../http/dashboard/sessions.ts'
import { defineSessionRoute } from '../../http/define-route.ts'
import { fields } from '../../lib/schemas.ts'

const line = (description: string) => Type.Optional(Type.String({ minLength: 1, maxLength: 320, description }))

const input = fields({
  key: Type.Optional(Type.String({ minLength: 1, maxLength: 300, description: 'An API key.' })),
  link: Type.Optional(Type.String({ minLength: 1, maxLength: 300, description: 'The token of a sign-in link.' })),
  email: line('The address of a person, with their password.'),
  password: Type.Optional(Type.String({ minLength: 1 })),
  code: Type.Optional(
    Type.String({ minLength: 1, maxLength: 100, description: 'Of the app of a second proof, or a recovery code.' }),
  ),
  organizationId: line('Which of their organizations; without it that used last.'),
})

export default defineSessionRoute({
  method: 'POST',
  path: '/session',
  summary:
    'Sign in to the dashboard: as a person, with an API key, or by a one-time link; sets the cookie of the session',
  auth: 'sign-in',
  body: input,
  response: sessionSchema,
  handler: async ({ body, signIn, show }) => show(await signIn(toProof(body))),
})

function toProof({ key, link, email, password, code, organizationId }: Static<typeof input>): SignIn {
  const given = [key, link, email ?? password].filter((it) => it !== undefined)
  if (given.length !== 1) throw invalidField('key', 'or link, or email and password must be sent, one of the three')
  if (key !== undefined) return { key }
  if (link !== undefined) return { link }
  if (email === undefined) throw invalidField('email', 'is needed beside a password')
  if (password === undefined) throw invalidField('password', 'is needed beside an address')
  return { email, password, code, organizationId }
}
