import { unsubscribePage } from '../../core/pages/unsubscribe-page.ts'
import { readUnsubscribe } from '../../core/subscribers/unsubscribe.ts'
import { ApiError } from '../../errors.ts'
import { defineOpenRoute } from '../../http/define-route.ts'

// Must change nothing: mail scanners follow every link.
export default defineOpenRoute({
  method: 'GET',
  path: '/v1/unsubscribe/{token}',
  summary: 'The page behind the unsubscribe link of an e-mail: asks once more',
  auth: 'link',
  async handler({ ctx, params }) {
    if (!readUnsubscribe(ctx, params.token)) throw new ApiError('link_not_found')
    return unsubscribePage('ask')
  },
})
