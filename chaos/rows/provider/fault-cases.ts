import { emailWebhook, genericSms } from '../../lib/outside-stage.ts'
import type { Random } from '../../lib/random.ts'
import type { Faults } from '../../lib/red.ts'
import type { MessageState, Tally } from '../../oracles/sending.ts'
import type { Entry } from '../../simulators/ledger.ts'
import type { Action, Call } from '../../simulators/provider-simulator.ts'

/** One way for a provider to fail, at an integration of its own. */
export type FaultCase = {
  name: string
  channel: 'email' | 'sms'
  keyed: boolean
  count: number
  /** A mail server instead of a webhook; of the actions it knows the first two. */
  smtp?: true
  integration(url: string): Record<string, unknown>
  script(call: Call): Action
  /** The second half is triggered when the first one has met its fault. */
  inTwoWaves?: true
  /** Some of it waits for longer than anybody watches. */
  neverSettles?: true
  /** It takes half a minute by its nature. */
  isSlow?: true
  /** Faults the script must have dealt out, at least. */
  fewestFaults: number
  expect(seen: Seen, faults: Faults): void
}

export type Seen = { tally: Tally; messages: readonly MessageState[]; entries: readonly Entry[] }

const ok: Action = { kind: 'ok', delayMs: 5 }
const status = (code: number, headers: Record<string, string> = {}): Action => ({
  kind: 'refuse',
  status: code,
  headers,
})

export function faultCases(random: Random, small: boolean): FaultCase[] {
  const size = (count: number) => (small ? Math.min(count, 100) : count)
  const webhook = { channel: 'email', keyed: true, integration: (url: string) => emailWebhook(url) } as const
  const sms = { channel: 'sms', keyed: false, integration: (url: string) => genericSms(url) } as const
  /** The first request of a share of the messages goes wrong. */
  const firstOf = (share: number, action: Action) => (call: Call) =>
    call.before === 0 && random.chance(share) ? action : ok
  const everyNth = (nth: number, action: Action) => (call: Call) =>
    call.before === 0 && call.index % nth === 0 ? action : ok
  return [
    {
      ...webhook,
      name: 'reset 10 %',
      count: size(2_000),
      script: firstOf(0.1, { kind: 'accept then reset' }),
      fewestFaults: size(2_000) * 0.06,
      expect: allArriveUnmarked,
    },
    {
      name: 'reset 10 %, keyless',
      channel: 'email',
      keyed: false,
      smtp: true,
      count: size(300),
      integration: () => ({}),
      script: firstOf(0.1, { kind: 'accept then reset' }),
      fewestFaults: size(300) * 0.03,
      expect({ tally }, faults) {
        if (tally.arrived !== tally.acknowledged) faults.add(`${tally.arrived} of ${tally.acknowledged} arrived`)
        if (tally.doubles > tally.unknown) faults.add(`${tally.doubles} doubles, ${tally.unknown} unknown`)
      },
    },
    {
      ...sms,
      name: 'reset 10 %, at most once',
      count: size(300),
      script: firstOf(0.1, { kind: 'accept then reset' }),
      fewestFaults: size(300) * 0.03,
      expect({ tally, entries }, faults) {
        const cut = entries.filter((entry) => entry.action === 'accept then reset').length
        if (tally.doubles > 0 || tally.requests !== tally.acknowledged)
          faults.add(`at most once: ${tally.requests} requests for ${tally.acknowledged} messages`)
        if (tally.marked !== cut) faults.add(`${cut} were cut off, ${tally.marked} are marked`)
      },
    },
    ...pausing(webhook),
    {
      ...webhook,
      name: '503 bursts',
      count: size(200),
      script: ({ index, before }) => (before === 0 && index % 50 < 12 ? status(503) : ok),
      fewestFaults: 12,
      expect: allArriveUnmarked,
    },
    {
      ...webhook,
      name: 'hangs',
      isSlow: true,
      count: 60,
      script: everyNth(6, { kind: 'hang' }),
      fewestFaults: 8,
      expect: allArriveUnmarked,
    },
    {
      ...webhook,
      name: 'garbage',
      count: 60,
      script: everyNth(6, { kind: 'garbage' }),
      fewestFaults: 8,
      expect: allArriveUnmarked,
    },
    {
      ...sms,
      name: 'garbage body, at most once',
      count: 40,
      integration: (url) => genericSms(url, { idPath: 'data.id' }),
      script: ({ index }) => ({ kind: 'ok', body: index % 4 === 0 ? '<html>\u0000' : '{"data":{"id":"x1"}}' }),
      fewestFaults: 0,
      expect({ tally }, faults) {
        if (tally.requests !== tally.acknowledged) faults.add(`${tally.requests} requests for ${tally.acknowledged}`)
        if (tally.marked !== 10) faults.add(`10 answers were no answers, ${tally.marked} are marked`)
      },
    },
    {
      ...webhook,
      name: 'huge, drip, cut, redirect',
      isSlow: true,
      count: 40,
      script({ index, before }) {
        if (before > 0) return ok
        const odd: Action[] = [
          { kind: 'huge' },
          { kind: 'drip' },
          { kind: 'reset before read' },
          status(302, { location: '/elsewhere' }),
        ]
        return odd[index % 8] ?? ok
      },
      fewestFaults: 15,
      expect({ tally, messages, entries }, faults) {
        const moved = entries.filter((entry) => entry.action === '302').length
        const rejected = messages.filter((message) => message.errorId === 'provider_rejected').length
        if (rejected !== moved) faults.add(`${moved} redirects, ${rejected} rejected`)
        if (tally.arrived !== tally.acknowledged - moved) faults.add(`${tally.arrived} arrived`)
      },
    },
    {
      ...webhook,
      name: 'credential revoked mid-run',
      count: 40,
      inTwoWaves: true,
      script: ({ index }) => (index >= 20 ? status(401) : ok),
      fewestFaults: 15,
      expect({ messages, tally }, faults) {
        const refused = messages.filter((it) => it.delivery === 'dead' && it.errorId === 'integration_refused').length
        if (refused !== tally.acknowledged - tally.arrived) faults.add(`${refused} of 20 refused messages say so`)
      },
    },
  ]
}

/** Everybody got it once, and nobody is told otherwise. */
function allArriveUnmarked({ tally, messages }: Seen, faults: Faults): void {
  if (tally.arrived !== tally.acknowledged) faults.add(`${tally.arrived} of ${tally.acknowledged} arrived`)
  const other = messages.filter((message) => message.status !== 'sent' || message.delivery !== 'sent')
  if (other.length > 0) faults.add(`${other.length} do not say sent: ${JSON.stringify(other[0])}`)
}

// What was already on its way when the 429 came may still arrive.
const graceMs = 1_000

/** 429 in every spelling. Until the time is over every request is refused, and should not have been made. */
function pausing(webhook: Pick<FaultCase, 'channel' | 'keyed' | 'integration'>): FaultCase[] {
  const spellings: { name: string; header: (now: number) => string | null; pauseMs: number }[] = [
    { name: 'seconds', header: () => '4', pauseMs: 4_000 },
    // A date has no fractions of a second.
    { name: 'date', header: (now) => new Date(now + 6_000).toUTCString(), pauseMs: 5_000 },
    { name: 'missing', header: () => null, pauseMs: 5_000 },
    { name: 'nonsense', header: () => 'soon, -3', pauseMs: 5_000 },
  ]
  const cases = spellings.map(({ name, header, pauseMs }): FaultCase => {
    let first = 0
    let value: string | null = null
    return {
      ...webhook,
      name: `429 ${name}`,
      count: 40,
      inTwoWaves: true,
      fewestFaults: 1,
      script() {
        if (first === 0) {
          first = Date.now()
          value = header(first)
        }
        return Date.now() < first + pauseMs ? status(429, value === null ? {} : { 'retry-after': value }) : ok
      },
      expect(seen, faults) {
        allArriveUnmarked(seen, faults)
        const early = seen.entries.filter(({ at }) => at > first + graceMs && at < first + pauseMs)
        if (early.length > 0)
          faults.add(
            `${early.length} requests in the pause asked for, the first ${(early[0]?.at ?? 0) - first} ms after the 429`,
          )
      },
    }
  })
  const absurd: FaultCase = {
    ...webhook,
    name: '429 absurd',
    count: 20,
    inTwoWaves: true,
    neverSettles: true,
    fewestFaults: 1,
    script: () => status(429, { 'retry-after': '999999999' }),
    expect({ messages, entries }, faults) {
      const [first] = entries
      for (const { retryAt, delivery, about } of messages) {
        const waitMs = (retryAt?.getTime() ?? 0) - (first?.at ?? 0)
        if (delivery !== 'open' || waitMs > 3_660_000 || waitMs < 3_500_000)
          faults.add(`${about}: asked for 31 years, it waits ${waitMs} ms (${delivery})`)
      }
      const late = entries.filter(({ at }) => at > (first?.at ?? 0) + graceMs)
      if (late.length > 0) faults.add(`${late.length} requests after the 429`)
    },
  }
  return [...cases, absurd]
}
