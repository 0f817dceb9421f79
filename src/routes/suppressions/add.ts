import { Type } from 'typebox'
import { noteSuppression } from '../../core/addresses/note-suppression.ts'
import {
  suppressedChannels,
  suppressionReasons,
  suppressionSchema,
  toSuppressionJson,
} from '../../core/replies/suppression-json.ts'
import { invalidField } from '../../errors.ts'
import { defineRoute } from '../../http/define-route.ts'
import { isEmail } from '../../lib/formats.ts'
import { fields, oneOf } from '../../lib/schemas.ts'
import { addSuppressions, findSuppression } from '../../store/suppressions.ts'

export default defineRoute({
  method: 'POST',
  path: '/v1/suppressions',
  summary: 'Put an address on the suppression list; one that is there stays as it is',
  body: fields({
    channel: oneOf(suppressedChannels),
    address: Type.String({ minLength: 1, maxLength: 320, format: 'identifier' }),
    reason: Type.Optional(oneOf(suppressionReasons)),
  }),
  status: 201,
  response: suppressionSchema,
  async handler({ db, env, now, body }) {
    const { channel, address, reason = 'unsubscribed' } = body
    if (channel === 'email' && !isEmail(address.trim())) {
      throw invalidField('address', 'must be a valid e-mail address', address)
    }
    await addSuppressions(db, env, [{ channel, address, reason, messageId: null }], now)
    const row = await findSuppression(db, env, channel, address)
    if (!row) throw new Error('what was just added is there')
    noteSuppression(db, { channel, address }, 'after')
    return toSuppressionJson(row)
  },
})
