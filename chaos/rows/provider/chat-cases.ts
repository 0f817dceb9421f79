import { channelOf, type SlackStream } from '../../lib/chat-stage.ts'
import type { Faults } from '../../lib/red.ts'
import type { World } from '../../lib/world.ts'
import type { MessageState, Tally } from '../../oracles/sending.ts'
import type { Entry } from '../../simulators/ledger.ts'
import type { Action } from '../../simulators/provider-simulator.ts'
import type { VendorCall } from '../../simulators/vendor-door.ts'

/** One way for Slack's bot to fail, at an app of its own in two workspaces. */
export type ChatCase = {
  name: string
  count: number
  /** `before`: how often this message came before. `index`: how many calls there were before. */
  script(call: VendorCall, before: number, index: number): Action
  /** Before anything is sent. */
  prepare?(world: World, stream: SlackStream): Promise<void>
  /** Some of it waits for longer than anybody watches. */
  neverSettles?: true
  /** It takes some ten seconds by its nature. */
  isSlow?: true
  /** Faults the script must have dealt out, at least. */
  fewestFaults: number
  expect(seen: Seen, faults: Faults): void
}

export type Seen = {
  tally: Tally
  messages: readonly MessageState[]
  entries: readonly Entry[]
  calls: readonly VendorCall[]
  /** All that goes through the app waits in line. */
  isPaced: boolean
  /** Whether a message goes to the first workspace, or to the first channel. */
  isAcme(about: string): boolean
  isFirst(about: string): boolean
}

const ok: Action = { kind: 'ok', delayMs: 5 }
const json = { 'content-type': 'application/json' }
const status = (code: number, headers: Record<string, string> = {}, body = ''): Action => ({
  kind: 'refuse',
  status: code,
  headers: { ...json, ...headers },
  body,
})

/** The first try of each n-th message. */
const everyNth =
  (nth: number, action: Action): ChatCase['script'] =>
  (_, before, index) =>
    before === 0 && index % nth === 0 ? action : ok

export function chatCases(): ChatCase[] {
  return [
    { ...doubtful('reset after it was taken', { kind: 'accept then reset' }), expect: inDoubtTwice },
    { ...doubtful('garbage', { kind: 'garbage' }), expect: inDoubtTwice },
    { ...doubtful('502', status(502)), expect: inDoubtOnce },
    {
      ...doubtful('internal_error', status(200, {}, '{"ok":false,"error":"internal_error"}')),
      expect: inDoubtOnce,
    },
    { ...doubtful('hangs', { kind: 'hang' }), isSlow: true, expect: inDoubtTwice },
    { ...doubtful('drip', { kind: 'drip' }), isSlow: true, expect: inDoubtTwice },
    { ...doubtful('huge', { kind: 'huge' }), expect: inDoubtTwice },
    { ...doubtful('503', status(503)), expect: (seen, faults) => allSent(seen, faults, seen.messages) },
    {
      ...doubtful('redirect', status(302, { location: '/elsewhere' })),
      expect({ messages, entries }, faults) {
        const moved = entries.filter(({ action }) => action === '302').length
        const rejected = messages.filter(({ errorId }) => errorId === 'provider_rejected').length
        if (rejected !== moved) faults.add(`${moved} redirects, ${rejected} rejected`)
      },
    },
    ...pausing(),
    revoked,
    swapped,
  ]
}

function doubtful(name: string, action: Action) {
  return { name, count: 40, script: everyNth(5, action), fewestFaults: 5 }
}

/** Slack took it, and nobody knows: it came twice, and is marked. */
function inDoubtTwice({ tally, entries }: Seen, faults: Faults): void {
  const dealt = entries.filter(({ action }) => action !== 'ok').length
  if (tally.arrived !== tally.acknowledged) faults.add(`${tally.arrived} of ${tally.acknowledged} arrived`)
  if (tally.doubles !== dealt || tally.marked !== dealt)
    faults.add(`${dealt} in doubt, ${tally.doubles} came twice, ${tally.marked} are marked`)
}

/** Slack did not take it, and nobody knows: it came once, and is marked. */
function inDoubtOnce({ tally, entries }: Seen, faults: Faults): void {
  const dealt = entries.filter(({ action }) => action !== 'ok').length
  if (tally.arrived !== tally.acknowledged) faults.add(`${tally.arrived} of ${tally.acknowledged} arrived`)
  if (tally.doubles > 0 || tally.marked !== dealt)
    faults.add(`${dealt} in doubt, ${tally.doubles} came twice, ${tally.marked} are marked`)
}

function allSent({ entries }: Seen, faults: Faults, messages: readonly MessageState[]): void {
  const arrived = new Set(entries.filter(({ effect }) => effect).map(({ about }) => about))
  const other = messages.filter((it) => it.status !== 'sent' || it.delivery !== 'sent' || !arrived.has(it.about))
  if (other.length > 0) faults.add(`${other.length} were not plainly sent: ${JSON.stringify(other[0])}`)
}

// What was already on its way when the 429 came may still arrive.
const graceMs = 1_000

/** 429 for one channel, in every spelling: that channel is left alone for so long, and its neighbours are not. */
function pausing(): ChatCase[] {
  const spellings: { name: string; header: (now: number) => string | null; pauseMs: number }[] = [
    { name: 'seconds', header: () => '6', pauseMs: 6_000 },
    // A date has no fractions of a second.
    { name: 'date', header: (now) => new Date(now + 7_000).toUTCString(), pauseMs: 6_000 },
    { name: 'missing', header: () => null, pauseMs: 5_000 },
    { name: 'nonsense', header: () => 'soon, -3', pauseMs: 5_000 },
    { name: 'absurd', header: () => '999999999', pauseMs: 3_500_000 },
  ]
  return spellings.map(({ name, header, pauseMs }): ChatCase => {
    let first = 0
    let value: string | null = null
    return {
      name: `429 ${name}`,
      count: 60,
      fewestFaults: 1,
      ...(name === 'absurd' && { neverSettles: true as const }),
      script({ json: { channel } }) {
        if (channel !== channelOf(0)) return ok
        if (first === 0) {
          first = Date.now()
          value = header(first)
        }
        const isOver = Date.now() >= first + pauseMs
        const limited = '{"ok":false,"error":"ratelimited"}'
        return isOver ? ok : status(429, value === null ? {} : { 'retry-after': value }, limited)
      },
      expect(seen, faults) {
        const { messages, entries, isFirst } = seen
        const early = entries.filter(({ about, at }) => isFirst(about) && at > first + graceMs && at < first + pauseMs)
        if (early.length > 0) faults.add(`${early.length} requests in the pause of the channel`)
        allSent(
          seen,
          faults,
          messages.filter(({ about }) => name !== 'absurd' || !isFirst(about)),
        )
        // On a busy machine some come later by themselves; those who are held back all do.
        const beside = entries.filter(({ about, at }) => !isFirst(about) && at > first + graceMs)
        const isHeldBack = beside.length > 0 && !beside.some(({ at }) => at < first + pauseMs)
        if (isHeldBack || seen.isPaced)
          faults.add(`${beside.length} messages to other channels waited for the pause to end`)
        for (const { about, delivery, retryAt } of name === 'absurd'
          ? messages.filter((it) => isFirst(it.about))
          : []) {
          const waitMs = (retryAt?.getTime() ?? 0) - first
          if (delivery !== 'open' || waitMs > 3_700_000 || waitMs < 3_500_000)
            faults.add(`${about}: asked for 31 years, it waits ${waitMs} ms (${delivery})`)
        }
      },
    }
  })
}

/** The app is removed from one workspace: that one is out, and says so; the other goes on. */
const revoked: ChatCase = {
  name: 'token_revoked',
  count: 60,
  fewestFaults: 0,
  script: () => ok,
  async prepare(_, { slack, workspaces }) {
    for (const token of slack.tokens.values()) {
      if (token.workspaceId === workspaces[0]) token.refused = 'token_revoked'
    }
  },
  expect(seen, faults) {
    const { messages, calls, isAcme } = seen
    const others = messages.filter(({ about }) => !isAcme(about))
    allSent(seen, faults, others)
    const dead = messages.filter(({ delivery, errorId }) => delivery === 'dead' && errorId === 'connection_refused')
    if (dead.length !== messages.length - others.length)
      faults.add(`${dead.length} of ${messages.length - others.length} messages say connection_refused`)
    // Those under way when the first answer came; whoever comes later reads that it is out.
    const asked = calls.filter(({ answer }) => answer.includes('token_revoked')).length
    if (asked > 20) faults.add(`asked ${asked} × with a token that was revoked`)
  },
}

/** The sealed tokens of one workspace, copied to the other: they do not open there, and nobody is told anything. */
const swapped: ChatCase = {
  name: 'tokens of another row',
  count: 20,
  fewestFaults: 0,
  neverSettles: true,
  script: () => ok,
  async prepare(world, { sender, workspaces }) {
    await world.sql(
      `update channel_connection c set auth = s.auth from channel_connection s
       where c.environment_id = $1 and c.identifier = $2 and s.environment_id = $1 and s.identifier = $3`,
      [sender.tenant.environmentId, ...workspaces],
    )
  },
  expect(seen, faults) {
    const { messages, entries, isAcme } = seen
    const shown = entries.filter(({ about }) => isAcme(about))
    if (shown.length > 0) faults.add(`${shown.length} messages were posted with the token of another row`)
    allSent(
      seen,
      faults,
      messages.filter(({ about }) => !isAcme(about)),
    )
  },
}
