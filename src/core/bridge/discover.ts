import { type Static, Type } from 'typebox'
import type { Ctx } from '../../context.ts'
import { createPauses } from '../../lib/chunks.ts'
import { findRefusedContent } from '../../lib/read-json.ts'
import { freeObject, oneOf } from '../../lib/schemas.ts'
import { faultFinder } from '../../lib/validate.ts'
import { severities, stepTypes } from '../workflows/workflow.ts'
import { askBridge } from './ask.ts'
import type { SigningKey } from './signature.ts'

const withinMs = 20_000
// Their code and its schemas are told with them.
const mostBytes = 8 * 1024 * 1024
const mostWorkflows = 500

const step = Type.Object({
  stepId: Type.String({ minLength: 1, maxLength: 100, format: 'identifier' }),
  type: Type.String({ maxLength: 100 }),
})
const channel = Type.Optional(Type.Object({ enabled: Type.Optional(Type.Boolean()) }))
const workflow = Type.Object({
  workflowId: Type.String({ minLength: 1, maxLength: 255, format: 'identifier' }),
  name: Type.Optional(Type.String({ maxLength: 255 })),
  description: Type.Optional(Type.String({ maxLength: 2000 })),
  severity: Type.Optional(oneOf(severities)),
  tags: Type.Optional(Type.Array(Type.String({ minLength: 1, maxLength: 100 }), { maxItems: 50 })),
  preferences: Type.Optional(
    Type.Object({
      all: Type.Optional(
        Type.Object({ enabled: Type.Optional(Type.Boolean()), readOnly: Type.Optional(Type.Boolean()) }),
      ),
      channels: Type.Optional(
        Type.Object({ in_app: channel, email: channel, sms: channel, chat: channel, push: channel }),
      ),
    }),
  ),
  payload: Type.Optional(Type.Object({ schema: Type.Optional(freeObject) })),
  steps: Type.Array(step, { maxItems: 50 }),
})
const discovered = Type.Object({ workflows: Type.Array(workflow, { maxItems: mostWorkflows }) })
const faultOf = faultFinder(discovered)

/** A workflow as the code of a tenant tells of it. */
export type Discovered = Static<typeof workflow>

/** Asks the bridge which workflows there are. */
export async function discover(
  ctx: Ctx,
  target: { url: string; key: SigningKey },
): Promise<{ workflows: Discovered[] } | { why: string }> {
  const said = await askBridge(ctx, target, { action: 'discover' }, { withinMs, mostBytes })
  if (said.kind === 'not begun') return { why: 'this process is stopping' }
  if (said.kind !== 'answered') return { why: said.why }
  const { json } = said
  const fault = faultOf(json)
  if (fault !== null) return { why: `its answer is not one that tells of workflows: ${fault}` }
  // Checked by the schema.
  const { workflows } = json as Static<typeof discovered>
  const pause = createPauses()
  for (const [at, { steps: _known, ...kept }] of workflows.entries()) {
    await pause()
    const refused = findRefusedContent(kept)
    if (refused) return { why: `its answer cannot be stored: workflows.${at}.${refused.path} ${refused.reason}` }
  }
  const why = oddity(workflows)
  return why === null ? { workflows } : { why }
}

function oddity(workflows: readonly Discovered[]): string | null {
  const taken = new Set<string>()
  for (const { workflowId, steps } of workflows) {
    if (taken.has(workflowId)) return `it tells of ${workflowId} twice`
    taken.add(workflowId)
    const stepIds = new Set<string>()
    for (const { stepId, type } of steps) {
      if (stepIds.has(stepId)) return `${workflowId} has two steps with the id ${stepId}`
      stepIds.add(stepId)
      if (!stepTypes.some((known) => known === type)) {
        return `step ${stepId} of ${workflowId} is of the type ${type}, which does not exist here`
      }
    }
  }
  return null
}
