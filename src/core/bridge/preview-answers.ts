import { setTimeout as sleep } from 'node:timers/promises'
import type { Ctx } from '../../context.ts'
import { findBridge, type NamedBridge } from '../../store/bridge/bridges.ts'
import type { Env } from '../../store/database.ts'
import type { RenderScope } from '../pipeline/plan.ts'
import { showVariables } from '../values/variables.ts'
import type { Step } from '../workflows/workflow.ts'
import type { Answer } from './answer.ts'
import { askBridge, type Question } from './ask.ts'
import { healthIdOf } from './health-id.ts'
import { toBridgeEnv } from './load-calls.ts'
import { readOutputs } from './read-answer.ts'
import { findSigningKey, type SigningKey } from './signature.ts'
import type { StepState } from './step-states.ts'

/** What the bridge would say about a step. `silent`: it did not say. */
export type Previewed = Answer | { kind: 'silent'; why: string }

export type ToPreview = {
  workflowId: string
  step: Step
  scope: RenderScope
  hasActor: boolean
  state: readonly StepState[]
}

// Somebody looks at a page meanwhile.
const callMs = 5_000
const allMs = 8_000
const mostAtOnce = 8

/** Asks what it would do, in their order; results of earlier steps that are not given are made up by the code itself. */
export async function previewAnswers(ctx: Ctx, env: Env, asked: readonly ToPreview[]): Promise<Previewed[]> {
  const { bridge, variables, key } = await ctx.database.read(env, async (db) => {
    const found = await findBridge(db, env)
    const shown = await showVariables(ctx, db, env)
    return { bridge: found, variables: shown, key: await findSigningKey(ctx, db, env, found?.key_id ?? null) }
  })
  const silent = (why: string): Previewed => ({ kind: 'silent', why })
  if (!bridge) return asked.map(() => silent('the environment has no bridge: tell of it by POST /v1/bridge/sync'))
  if (!key) return asked.map(() => silent('no live API key of this environment can sign the call'))
  const own = toBridgeEnv(bridge, variables)
  const answers: Previewed[] = asked.map(() => silent('it was not asked, because others took all the time'))
  const open = [...asked.entries()]
  const until = performance.now() + allMs
  const work = async () => {
    for (let next = open.shift(); next; next = open.shift()) {
      const leftMs = until - performance.now()
      if (leftMs <= 0) return
      const [index, it] = next
      const place = await takePlace(ctx, env, until)
      if (!place) return
      const withinMs = Math.min(callMs, until - performance.now())
      answers[index] = await previewOne(ctx, { bridge, own, key }, it, withinMs).finally(place.give)
    }
  }
  await Promise.all(Array.from({ length: mostAtOnce }, work))
  return answers
}

/** As many at a time as an integration bears that nobody knows yet (`health`): a bridge is mostly one small server. */
async function takePlace({ health, clock }: Ctx, env: Env, until: number): Promise<{ give(): void } | null> {
  const id = `preview ${healthIdOf(env)}`
  while (health.freePlaces(id, clock().getTime()) <= 0) {
    const leftMs = until - performance.now()
    if (leftMs <= 0) return null
    await Promise.race([health.whenFree(id), sleep(leftMs, undefined, { ref: false })])
  }
  const takenMs = clock().getTime()
  health.take(id, takenMs, 1)
  return { give: () => health.give(id, takenMs, 1) }
}

async function previewOne(
  ctx: Ctx,
  { bridge, own, key }: { bridge: NamedBridge; own: object; key: SigningKey },
  asked: ToPreview,
  withinMs: number,
): Promise<Previewed> {
  const said = await askBridge(ctx, { url: bridge.url, key }, toQuestion(asked, bridge, own), { withinMs })
  ctx.metrics.bridgeCalls.inc({ outcome: said.kind === 'answered' ? 'previewed' : 'not previewed' })
  switch (said.kind) {
    case 'answered':
      return readOutputs(said.json, asked.step.type, ctx.clock())
    case 'refused':
      return { kind: 'failed', at: ctx.clock().toISOString(), why: `The bridge refused: ${said.why}` }
    case 'later':
      return { kind: 'silent', why: `the bridge did not answer: ${said.why}` }
    case 'not begun':
      return { kind: 'silent', why: 'this process is stopping' }
  }
}

function toQuestion(
  { workflowId, step, scope, hasActor, state }: ToPreview,
  bridge: NamedBridge,
  env: object,
): Question {
  const { payload, subscriber, actor, context } = scope
  const body = { payload, controls: {}, state, subscriber, ...(hasActor && { actor }), context, env }
  return { action: 'preview', workflowId, stepId: step.stepId, environmentType: bridge.environment_type, body }
}
