import { Type } from 'typebox'
import { askWhichThere, bridgeUrl } from '../../core/bridge/sync.ts'
import { defineRoute } from '../../http/define-route.ts'
import { fields } from '../../lib/schemas.ts'

export default defineRoute({
  method: 'POST',
  path: '/v1/bridge/validate',
  summary: 'Whether a bridge answers at this address, takes our signature and tells of its workflows',
  body: fields({ bridgeUrl }),
  response: Type.Object(
    { isValid: Type.Boolean(), workflows: Type.Integer(), steps: Type.Integer() },
    { title: 'BridgeValidation' },
  ),
  // Its reply may have 8 MB, and is waited for up to 20 s.
  isHeavy: () => true,
  beforeTransaction: { call: ({ ctx, env, body }) => askWhichThere(ctx, env, body.bridgeUrl) },
  async handler({ prepared }) {
    const workflows = prepared?.workflows ?? []
    return {
      isValid: true,
      workflows: workflows.length,
      steps: workflows.reduce((sum, { steps }) => sum + steps.length, 0),
    }
  },
})
