import { Type } from 'typebox'
import { accountSchema } from '../../core/people/account-json.ts'
import { changeName } from '../../core/people/change-account.ts'
import { showAccount } from '../../core/people/show-account.ts'
import { defineSessionRoute } from '../../http/define-route.ts'
import { fields } from '../../lib/schemas.ts'

export default defineSessionRoute({
  method: 'PATCH',
  path: '/session/account',
  summary: 'Change your name',
  auth: 'session',
  body: fields({ name: Type.String({ minLength: 1, maxLength: 100, format: 'identifier' }) }),
  response: accountSchema,
  async handler({ ctx, body, account }) {
    const { self } = account()
    await changeName(ctx, self, body.name.trim())
    return showAccount(ctx, self)
  },
})
