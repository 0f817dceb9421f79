import { Type } from 'typebox'
import { ApiError } from '../../errors.ts'
import { isPlainObject } from '../../lib/canonical-json.ts'
import { fields, freeObject, nullable } from '../../lib/schemas.ts'
import { booleanCredentials, objectCredentials, stringCredentials } from '../../providers/credential-names.ts'
import type { Env } from '../../store/database.ts'
import { stepFilterInput } from '../workflows/step-filter.ts'
import type { SentCredentials } from './integration-credentials.ts'
import type { WhenUnknown } from './when-unknown.ts'

/** Spec 2.5: every field optional; in a request null clears. */
const credentialProperties = Object.fromEntries([
  ...stringCredentials.map((name) => [name, Type.Optional(nullable(Type.String()))]),
  ...booleanCredentials.map((name) => [name, Type.Optional(nullable(Type.Boolean()))]),
  ...objectCredentials.map((name) => [name, Type.Optional(nullable(freeObject))]),
])
const credentialsInput = Type.Unsafe<SentCredentials>(fields(credentialProperties))

const configurationsInput = fields({
  inboundWebhookEnabled: Type.Optional(nullable(Type.Boolean())),
  inboundWebhookSigningKey: Type.Optional(nullable(Type.String())),
  whenUnknown: Type.Optional(
    Type.Unsafe<WhenUnknown | null>({
      type: ['string', 'null'],
      enum: ['atLeastOnce', 'atMostOnce', null],
      description: 'What to do when nobody can say whether a message went out: send it again, or leave it.',
    }),
  ),
})

/** What 4.7 and 4.8 share. */
export const integrationChangeInput = {
  name: Type.Optional(Type.String({ minLength: 1, maxLength: 255, format: 'identifier' })),
  identifier: Type.Optional(Type.String({ minLength: 1, maxLength: 255, format: 'identifier' })),
  // Another one, whatever it looks like, is refused by checkEnvironment.
  _environmentId: Type.Optional(Type.String({ format: 'uuid' })),
  active: Type.Optional(Type.Boolean()),
  check: Type.Optional(Type.Boolean()),
  credentials: Type.Optional(credentialsInput),
  // Filters are stored with all fields: without a limit 1 MB of `{}` becomes a row of 20 MB.
  conditions: Type.Optional(Type.Array(stepFilterInput, { maxItems: 100 })),
  configurations: Type.Optional(configurationsInput),
}

/** The environment comes from the key; naming another one is refused. */
export function checkEnvironment(env: Env, given: string | undefined): void {
  if (given !== undefined && given !== env.environmentId) throw new ApiError('environment_mismatch')
}

/** Whether to call the provider before saving. The body is not validated yet. */
export function asksForCheck(body: unknown): boolean {
  return isPlainObject(body) && body.check === true
}
