import type { Ctx } from '../../context.ts'
import { isPlainObject } from '../../lib/canonical-json.ts'
import { cutText } from '../../lib/one-line.ts'
import { type Fault, type HttpReply, notBegun } from '../../lib/outbound.ts'
import { findRefusedContent } from '../../lib/read-json.ts'
import { type Outcome, readReply, reasonOf } from '../../providers/outcome.ts'
import { redact } from '../delivery/redact.ts'
import { deadlineIn } from '../integrations/provider-call.ts'
import type { SigningKey } from './signature.ts'
import { signatureOf } from './signature.ts'

/** How long a bridge has for one answer. */
export const callMs = 10_000

export type Question = {
  action: 'discover' | 'execute' | 'preview'
  workflowId?: string
  stepId?: string
  jobId?: string
  environmentType?: string
  /** Without one it is a GET. */
  body?: object
  /** What is told in the body, and is to be in no text that is kept. */
  secrets?: readonly string[]
}

export type Said =
  | { kind: 'answered'; json: Record<string, unknown> }
  /** For good: asked again, it would say the same. `byUs`: we do not connect there. */
  | { kind: 'refused'; why: string; byUs?: true }
  /** `outcome`: what it says about the bridge. */
  | { kind: 'later'; why: string; outcome: Outcome }
  /** The process is stopping, and nothing was sent. */
  | { kind: 'not begun' }

type Target = { url: string; key: SigningKey }
type Bounds = { withinMs?: number; mostBytes?: number }

/** One signed call, through the guarded door. A redirect is a refusal: whoever answers must be who was named. */
export async function askBridge(
  ctx: Ctx,
  { url, key }: Target,
  question: Question,
  { withinMs = callMs, mostBytes }: Bounds = {},
): Promise<Said> {
  // The very text that is signed is sent; of a GET they sign an empty object.
  const text = JSON.stringify(question.body ?? {})
  const answer = await ctx.http({
    method: question.body ? 'POST' : 'GET',
    url: addressOf(url, question),
    headers: {
      'novu-signature': signatureOf(key.text, text, ctx.clock()),
      accept: 'application/json',
      ...(question.body && { 'content-type': 'application/json' }),
      // Tunnels of development machines show a page of their own first, unless they are told not to.
      'bypass-tunnel-reminder': 'true',
    },
    ...(question.body && { body: text }),
    deadline: deadlineIn(withinMs),
    mayBegin: () => !ctx.drain.begun,
    ...(mostBytes !== undefined && { mostBytes }),
  })
  return readAnswer(answer, [key.text, ...(question.secrets ?? [])])
}

function addressOf(url: string, { action, workflowId, stepId, jobId, environmentType }: Question): string {
  const address = new URL(url)
  const named = { action, workflowId, stepId, jobId, environmentType }
  for (const [name, value] of Object.entries(named)) if (value !== undefined) address.searchParams.set(name, value)
  return address.href
}

export function readAnswer(answer: HttpReply | Fault, secrets: readonly string[]): Said {
  const clean = (text: string) => cutText(redact(text, secrets), 500)
  if (answer.kind === 'fault') {
    if (answer.reason === notBegun) return { kind: 'not begun' }
    if (answer.refused) return { kind: 'refused', why: clean(answer.reason), byUs: true }
    return { kind: 'later', why: clean(answer.reason), outcome: readReply(answer) }
  }
  const { status, json } = answer
  if (status >= 200 && status < 300) {
    if (isPlainObject(json)) return { kind: 'answered', json }
    const why = `${status} without JSON, or with more of it than is read`
    return { kind: 'later', why, outcome: { kind: 'unknown', reason: why } }
  }
  const why = clean(wordsOf(answer))
  // A gateway before it says 502 while it starts anew; its own 502 says by a code that the tenant's code has failed.
  const isOwn = isPlainObject(json) && typeof json.code === 'string'
  if (status === 408 || status === 425 || status === 429 || (status >= 500 && !(status === 502 && isOwn))) {
    return { kind: 'later', why, outcome: readReply(answer) }
  }
  return { kind: 'refused', why }
}

/** The status, the code and the message. */
function wordsOf(answer: HttpReply): string {
  const { json, status } = answer
  if (!isPlainObject(json) || typeof json.code !== 'string') return reasonOf(answer)
  const details = json.data === undefined || json.data === null ? '' : ` ${shown(json.data)}`
  return `${status} ${json.code}: ${shown(json.message)}${details}`
}

/** Whatever somebody answered: it may be nested without end, or not be a text where one belongs. */
function shown(value: unknown): string {
  if (typeof value === 'string') return value
  return findRefusedContent(value, 'depth') ? '(nested too deeply to be shown)' : String(JSON.stringify(value))
}
