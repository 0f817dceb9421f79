import { Type } from 'typebox'
import { environmentColor, environmentName } from '../../core/access/environment-json.ts'
import { fields } from '../../lib/schemas.ts'
import { defineAlias } from './define-alias.ts'

// Older clients know no colour; one that none of ours has by itself.
const plain = '#64748b'

export const olderEnvironments = [
  defineAlias({
    method: 'POST',
    path: '/v1/environments',
    to: 'environments-create',
    body: fields({
      name: environmentName,
      color: Type.Optional(environmentColor),
      parentId: Type.Optional(Type.String()),
    }),
    handler: ({ body: { color = plain, ...named }, next }) => next({ body: { ...named, color } }),
  }),
]
