import { LRUCache } from 'lru-cache'
import type { Ctx } from '../../context.ts'
import { hasMoreText } from '../../lib/canonical-json.ts'
import { chunks, createPauses } from '../../lib/chunks.ts'
import type { Env, Outside } from '../../store/database.ts'
import { fitsSimply } from './fits-simply.ts'
import type { Workflow } from './workflow.ts'

/**
 * Tenants' schemas are never run where requests are answered: a pattern or a large one could stop the node. What does not
 * plainly fit is judged in the threads that can be killed, with no transaction open.
 */
type Scope = { ctx: Ctx; env: Env; outside: Outside }

const maxPayloadBytes = 512 * 1024
// Of all payloads of a request together: about a millisecond.
const stepsInPlace = 20_000

const unusable = 'is not a usable JSON Schema: it takes too long or too much memory to compile'
// They share the time of one call.
const schemasAtOnce = 10

/** The same for many; no transaction may be open. */
export async function findSchemaFaults(
  { ctx, env }: Pick<Scope, 'ctx' | 'env'>,
  schemas: readonly (Record<string, unknown> | null | undefined)[],
): Promise<(string | null)[]> {
  const pause = createPauses()
  const texts: (string | null)[] = []
  for (const schema of schemas) {
    await pause()
    texts.push(schema ? JSON.stringify(schema) : null)
  }
  const faults = new Map<string, string | null>()
  for (const some of chunks([...new Set(texts.flatMap((text) => text ?? []))], schemasAtOnce)) {
    const items = some.map((schema) => ({ schema, payload: null as null }))
    const verdicts = await ctx.renderer.judgePayloads(items, env.environmentId)
    for (const [index, schema] of some.entries()) {
      const verdict = verdicts[index]
      faults.set(schema, !verdict || 'why' in verdict ? unusable : (verdict.faults[0] ?? null))
    }
  }
  return texts.map((text) => (text === null ? null : (faults.get(text) ?? null)))
}

/** What is wrong with a payload schema, or null. */
export async function findSchemaFault(
  { ctx, env, outside }: Scope,
  schema: Record<string, unknown> | null | undefined,
): Promise<string | null> {
  if (!schema) return null
  const [fault = null] = await outside('schema', () => findSchemaFaults({ ctx, env }, [schema]))
  return fault
}

export type Asked = { workflow: Workflow; payload: Record<string, unknown> }

/** One sentence per fault, for each payload. */
export async function findPayloadFaults({ ctx, env, outside }: Scope, asked: readonly Asked[]): Promise<string[][]> {
  const steps = { left: stepsInPlace }
  const left: { at: number; version: string; item: { schema: string; payload: string } }[] = []
  const faults: string[][] = asked.map(() => [])
  const pause = createPauses()
  for (const [at, { workflow, payload }] of asked.entries()) {
    await pause()
    const text = hasMoreText(payload, { left: maxPayloadBytes }) ? null : JSON.stringify(payload)
    if (text === null || Buffer.byteLength(text) > maxPayloadBytes)
      faults[at] = [`payload is larger than ${maxPayloadBytes / 1024} KB`]
    else if (workflow.validatePayload && workflow.payloadSchema) {
      if (fitsSimply(workflow.payloadSchema, payload, steps)) continue
      const version = `${workflow.id}:${workflow.version}`
      left.push({ at, version, item: { schema: schemaText(version, workflow.payloadSchema), payload: text } })
    }
  }
  if (left.length === 0) return faults
  // By version: if the workflow has changed when the transaction begins again, its payloads are judged again.
  const key = left.map(({ at, version }) => `${at}:${version}`).join()
  const items = left.map(({ item }) => item)
  const workflows = left.flatMap(({ at }) => asked[at]?.workflow.identifier ?? [])
  const verdicts = await outside(key, () => ctx.renderer.judgePayloads(items, env.environmentId), { workflows })
  for (const [index, { at }] of left.entries()) {
    const verdict = verdicts[index] ?? { why: 'others' }
    faults[at] = 'faults' in verdict ? verdict.faults : [reasons[verdict.why]]
  }
  return faults
}

const advice = 'simplify its patterns, or send less in one payload'
const reasons = {
  time: `payload was not accepted: the payloadSchema of the workflow needs more than 1 s to check it; ${advice}`,
  memory: `payload was not accepted: the payloadSchema of the workflow needs too much memory to check it; ${advice}`,
  others:
    'payload was not checked: the payloads before it in this request took up all the time; send this event by itself',
}

const schemaTexts = new LRUCache<string, string>({
  max: 1_000,
  maxSize: 16 * 1024 * 1024,
  sizeCalculation: (text) => text.length + 1,
})

function schemaText(version: string, schema: Record<string, unknown>): string {
  const text = schemaTexts.get(version) ?? JSON.stringify(schema)
  schemaTexts.set(version, text)
  return text
}
