import { Type } from 'typebox'
import { oneOf } from '../../lib/schemas.ts'
import { contextInput, identifierInput } from './endpoint-input.ts'

/** Of the vendor, instead of the usual ones. */
export const scopesInput = Type.Optional(Type.Array(Type.String({ minLength: 1, maxLength: 200 }), { maxItems: 100 }))

/** What every way to agree at a vendor is told; as the published clients send it. */
export const connectFields = {
  integrationIdentifier: Type.String(),
  connectionIdentifier: Type.Optional(identifierInput),
  context: contextInput,
  contextHash: Type.Optional(Type.String({ maxLength: 200, description: 'Not needed with an API key.' })),
}

/** Of installing an app. */
export const installFields = {
  scope: scopesInput,
  connectionMode: Type.Optional(oneOf(['subscriber', 'shared'])),
  autoLinkUser: Type.Optional(Type.Boolean({ description: 'Also reach the subscriber at the vendor.' })),
}
