import { setTimeout as sleep } from 'node:timers/promises'
import type { Ctx } from '../../context.ts'
import { cutText } from '../../lib/one-line.ts'
import { EncryptionKeyUnavailable } from '../../lib/seal.ts'
import { secretPlaces } from '../../lib/secret-places.ts'
import { uuid7Time } from '../../lib/uuid7.ts'
import type { Outcome } from '../../providers/outcome.ts'
import { envOf, inTransaction } from '../../store/database.ts'
import { claimDueMails, type DueMail, endOwnMail, retryOwnMail, returnOwnMail } from '../../store/people/own-mails.ts'
import { cleanOutcome } from '../delivery/clean-outcome.ts'
import { findSender } from '../integrations/find-sender.ts'
import { callTools, deadlineIn, openCredentials, secretsOf } from '../integrations/provider-call.ts'
import { type Letter, writeLetter } from './letters.ts'
import { findMailWay, type MailWay } from './mail-way.ts'

// After each try: ten seconds, a minute … ; the last time after some ten hours.
const pausesMs = [10, 60, 300, 900, 3_600, 10_800, 21_600].map((seconds) => seconds * 1000)
const withoutKeyMs = 5_000
// Longer than withoutKeyMs by two turns of the loop of other workers, so that one with the key gets the mail first.
const yieldMs = withoutKeyMs + 2_500
const mostTries = pausesMs.length + 1

const callMs = 30_000
// Whoever claimed it and died is followed by another after this.
const claimMs = callMs + 15_000
// A server that hangs keeps only the mails of its own organization waiting.
const [mostInHand, mostOfOne] = [20, 4]
// After this the others' turn comes, while slow ones go on.
const turnMs = 5_000

/** The organizations whose mails are on their way, of each process. */
const inHand = new WeakMap<Ctx, string[]>()
/** Until when a process that lacked a key takes no mails, in milliseconds of `performance.now()`. */
const yieldsUntil = new WeakMap<Ctx, number>()

/**
 * Mails of ours that are due. A try is counted and committed before its call, so a process that dies there makes it sent
 * again, and not without end. Returns how many it took in hand.
 */
export async function sendOwnMails(ctx: Ctx): Promise<number> {
  if (ctx.drain.begun || performance.now() < (yieldsUntil.get(ctx) ?? 0)) return 0
  const busy = inHand.get(ctx) ?? []
  inHand.set(ctx, busy)
  const now = ctx.clock()
  const claim = {
    now,
    again: new Date(now.getTime() + claimMs),
    limit: mostInHand - busy.length,
    ofOne: mostOfOne,
    except: busy,
  }
  if (claim.limit <= 0) return 0
  const due = await inTransaction(ctx.database.db, (db) => claimDueMails(db, claim))
  const all = Promise.all(due.map((mail) => handle(ctx, mail, busy)))
  await Promise.race([all, sleep(turnMs, undefined, { ref: false })])
  return due.length
}

/** Never throws: what could not be recorded is tried again when its claim is over. */
async function handle(ctx: Ctx, mail: DueMail, busy: string[]): Promise<void> {
  busy.push(mail.organizationId)
  try {
    await record(ctx, mail, await tryMail(ctx, mail))
  } catch (error) {
    if (error instanceof EncryptionKeyUnavailable) return await giveBack(ctx, mail, error)
    ctx.log.error({ err: error, ownMailId: mail.id }, 'what became of a mail of ours could not be recorded')
  } finally {
    busy.splice(busy.indexOf(mail.organizationId), 1)
  }
}

async function tryMail(ctx: Ctx, mail: DueMail): Promise<Outcome> {
  try {
    if (mail.tries > mostTries) return gaveUp
    const letter = openLetter(ctx, mail)
    if (new Date(letter.until) <= ctx.clock()) return { kind: 'rejected', reason: 'Its link has expired.' }
    const way = await findMailWay(ctx, mail.organizationId)
    if ('fault' in way) return { kind: 'retry', reason: way.fault }
    return await send(ctx, mail, letter, way)
  } catch (error) {
    if (error instanceof EncryptionKeyUnavailable) throw error
    ctx.log.error({ err: error, ownMailId: mail.id }, 'a mail of ours could not be sent')
    return { kind: 'retry', reason: 'It could not be made ready; the log says why.' }
  }
}

/** Returns a mail that was not tried, so that the try does not count. Another process may have the key. */
async function giveBack(ctx: Ctx, mail: DueMail, error: EncryptionKeyUnavailable): Promise<void> {
  ctx.log.warn({ err: error, ownMailId: mail.id }, 'a mail of ours waits for an encryption key')
  // A key that is in use nowhere any more is no reason to let the other mails wait.
  if (ctx.sealer.missingKeyIds().length > 0 || !ctx.sealer.maySeal()) yieldsUntil.set(ctx, performance.now() + yieldMs)
  const nextAt = new Date(ctx.clock().getTime() + withoutKeyMs)
  // If this fails, the mail is tried when its claim has ended.
  await returnOwnMail(ctx.database.db, mail, nextAt).catch(() => {})
}

const gaveUp: Outcome = { kind: 'rejected', reason: 'No answer to any of its tries is known.' }

function openLetter(ctx: Ctx, mail: DueMail): Letter {
  // Written by queue-mail.ts.
  return JSON.parse(ctx.sealer.open(secretPlaces.ownMail(mail), mail.letter)) as Letter
}

/** By the same code of providers and the same door as every other message. */
async function send(ctx: Ctx, mail: DueMail, letter: Letter, { row, provider }: MailWay): Promise<Outcome> {
  const env = envOf(row.environment_id)
  const credentials = openCredentials(ctx, row, provider)
  const from = findSender(provider, credentials)
  if (!from) return { kind: 'retry', reason: 'The integration has no sender: set `from` in it.' }
  const message = {
    id: mail.id,
    key: `${mail.id}-${row.id.slice(-12)}`,
    subscriberId: 'tidings',
    firstTriedAt: uuid7Time(mail.id),
    ...{ overrides: {}, from, to: [mail.recipient], cc: [], bcc: [], headers: {}, attachments: [] },
    ...writeLetter(letter),
  }
  const tools = callTools(ctx, env, row, deadlineIn(callMs), () => !ctx.drain.begun)
  const outcome = [await provider.send?.({ ...tools, credentials, message })].flat()[0]
  const secrets = [...secretsOf(credentials), letter.link, letter.link.split('=').at(-1) ?? '']
  return cleanOutcome(outcome ?? { kind: 'unknown', reason: 'The provider adapter gave no outcome' }, secrets)
}

async function record(ctx: Ctx, mail: DueMail, outcome: Outcome): Promise<void> {
  const { db } = ctx.database
  switch (outcome.kind) {
    case 'sent':
      return endOwnMail(db, mail, { state: 'sent', reason: null })
    case 'rejected':
      return endOwnMail(db, mail, { state: 'failed', reason: withoutTokens(outcome.reason) })
    case 'retry':
    case 'unknown': {
      const pauseMs = pausesMs[mail.tries - 1]
      const reason = withoutTokens(outcome.reason)
      if (pauseMs === undefined) return endOwnMail(db, mail, { state: 'failed', reason })
      const askedMs = outcome.kind === 'retry' ? (outcome.afterMs ?? 0) : 0
      const nextAt = new Date(ctx.clock().getTime() + Math.max(pauseMs, Math.min(askedMs, 3_600_000)))
      return retryOwnMail(db, mail, { reason, nextAt })
    }
  }
}

/** A server may repeat parts of a mail in its refusal, however it has encoded them. */
function withoutTokens(reason: string): string {
  return cutText(reason.replace(/[\w=+/-]{24,}/g, '••••'), 500)
}
