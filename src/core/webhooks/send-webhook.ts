import type { Ctx } from '../../context.ts'
import { cutText } from '../../lib/one-line.ts'
import { type Fault, type HttpReply, notBegun } from '../../lib/outbound.ts'
import { type Outcome, readReply } from '../../providers/outcome.ts'
import { signWebhook } from '../../providers/shared/standard-webhooks.ts'
import type { Taken } from '../../store/webhooks/deliveries.ts'
import { redact } from '../delivery/redact.ts'
import { deadlineIn } from '../integrations/provider-call.ts'

/** From the first byte to the end of the answer. */
export const callMs = 10_000

// Enough to see what a receiver says; tries are kept with their event.
const mostReplyChars = 500

export type Answer = {
  outcome: Outcome
  status: number | null
  /** The receiver's words, or why there are none. */
  reply: string
  /** The process is stopping, and nothing was sent. */
  isNotBegun: boolean
}

/** One call. The id and the body are the same at every try; the time and so the signature are of this one. */
export async function sendWebhook(
  ctx: Ctx,
  { url, secrets }: { url: string; secrets: readonly string[] },
  { id, body }: Pick<Taken, 'id' | 'body'>,
): Promise<Answer> {
  const signed = await signWebhook({ id, secret: secrets, body, now: ctx.clock() })
  const answer = await ctx.http({
    url,
    headers: { 'content-type': 'application/json', ...signed },
    body,
    deadline: deadlineIn(callMs),
    mayBegin: () => !ctx.drain.begun,
  })
  return {
    outcome: readReply(answer, { failure: readGone }),
    status: answer.kind === 'reply' ? answer.status : null,
    // Cut between the halves of a character, it could not be stored.
    reply: cutText(redact(wordsOf(answer), secrets), mostReplyChars),
    isNotBegun: answer.kind === 'fault' && answer.reason === notBegun,
  }
}

/** Standard Webhooks: by a 410 a receiver says that it wants nothing any more. */
function readGone({ status }: HttpReply): Outcome | undefined {
  return status === 410 ? { kind: 'rejected', reason: '410 the endpoint is gone', because: 'gone' } : undefined
}

function wordsOf(answer: HttpReply | Fault): string {
  return answer.kind === 'reply' ? answer.text : answer.reason
}
