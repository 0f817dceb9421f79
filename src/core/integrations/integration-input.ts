import { Type } from 'typebox'
import { ApiError } from '../../errors.ts'
import { isPlainObject } from '../../lib/canonical-json.ts'
import type { Env } from '../../store/database.ts'
import { configurationsInput, credentialsInput } from '../replies/integration-json.ts'
import { stepFilterInput } from '../workflows/step-filter.ts'

/** What 4.7 and 4.8 share. */
export const integrationChangeInput = {
  name: Type.Optional(Type.String({ minLength: 1, maxLength: 255, format: 'identifier' })),
  identifier: Type.Optional(Type.String({ minLength: 1, maxLength: 255, format: 'identifier' })),
  _environmentId: Type.Optional(Type.String()),
  active: Type.Optional(Type.Boolean()),
  check: Type.Optional(Type.Boolean()),
  credentials: Type.Optional(credentialsInput),
  // Each is stored whole, however short it was sent: without a bound 1 MB of `{}` becomes a row of 20 MB.
  conditions: Type.Optional(Type.Array(stepFilterInput, { maxItems: 100 })),
  configurations: Type.Optional(configurationsInput),
}

/** The environment comes from the key; naming another one is refused, not obeyed. */
export function checkEnvironment(env: Env, given: string | undefined): void {
  if (given !== undefined && given !== env.environmentId) throw new ApiError('environment_mismatch')
}

/** Whether the provider is to be called before this is saved; asked of a body nobody has validated yet. */
export function asksForCheck(body: unknown): boolean {
  return isPlainObject(body) && body.check === true
}
