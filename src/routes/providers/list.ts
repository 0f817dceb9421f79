import { Type } from 'typebox'
import { providerSchema, toProviderJson } from '../../core/replies/provider-json.ts'
import { defineRoute } from '../../http/define-route.ts'

export default defineRoute({
  method: 'GET',
  path: '/v1/providers',
  summary: 'All providers that integrations can be made of, with the credentials each asks for',
  response: Type.Object({ data: Type.Array(providerSchema) }),
  async handler({ ctx }) {
    return { data: ctx.providers.all.map((provider) => toProviderJson(ctx, provider)) }
  },
})
