// biome-ignore-all lint/suspicious/noTemplateCurlyInString: mutations quote the program's own source
import { defineArea } from '../lib/area.ts'
import { alone, type World } from '../lib/world.ts'
import { chatFaults } from '../rows/provider/chat-faults.ts'
import { chatsUnderFire } from '../rows/provider/chats.ts'
import { failover } from '../rows/provider/failover.ts'
import { providerFaults } from '../rows/provider/faults.ts'
import { killedWhileSending } from '../rows/provider/kill.ts'
import { neighbour } from '../rows/provider/neighbour.ts'
import { pace } from '../rows/provider/pace.ts'
import { renewals } from '../rows/provider/renewals.ts'
import { frozenWhileSending } from '../rows/provider/zombie.ts'

export const provider = defineArea<World>({
  name: 'provider',
  open: async (world) => world,
  rowLimitMs: 300_000,
  rows: {
    kill: alone(killedWhileSending),
    zombie: alone(frozenWhileSending),
    faults: alone(providerFaults),
    neighbour: alone(neighbour),
    failover: alone(failover),
    pace: alone(pace),
    chats: alone(chatsUnderFire),
    renewals: alone(renewals),
    'chat faults': alone(chatFaults),
  },
  mutations: [
    {
      name: 'sent before the intent is committed',
      edits: [
        {
          file: 'src/core/delivery/deliver.ts',
          find: `  const attempts = commitIntents(ctx, env, light)
  const sent = attempts.then((begun) => send(ctx, env, begun, places)).then(() => [])`,
          replace: `  const now = ctx.clock()
  const attempts = Promise.all(
    light.map((it) => sendAttempt(ctx, env, { ...it, startedAt: now, startBy: now.getTime() + 3_000 })),
  )
  const sent = attempts.then(async (early) => {
    await commitIntents(ctx, env, light)
    await Promise.all(early.map((ending) => recordSoon(ctx, env, ending)))
    return []
  })`,
        },
      ],
      turnsRed: 'kill',
    },
    {
      name: 'the key is another at every try',
      edits: [
        {
          file: 'src/providers/email/email-webhook.ts',
          find: '      id: message.id,',
          replace: '      id: message.id + Math.random(),',
        },
      ],
      turnsRed: 'kill',
    },
    {
      name: 'no fence: whoever comes last writes',
      edits: [
        {
          file: 'src/store/history/attempts.ts',
          find: `
      and a.outcome is null`,
          replace: '',
        },
        {
          file: 'src/store/history/attempts.ts',
          find: ` and m.delivery = 'open'
      and m.attempts = e.attempts and m.in_flight = e."inFlight"`,
          replace: '',
        },
      ],
      turnsRed: 'zombie',
    },
    {
      name: 'what may have been sent is sent again under atMostOnce',
      edits: [
        {
          file: 'src/core/delivery/doubt.ts',
          find: "return it.outcome === 'unknown' && it.whenUnknown === 'atMostOnce'",
          replace: "return it.outcome === 'unknown' && it.number > 9",
        },
      ],
      turnsRed: 'faults',
    },
    {
      name: 'a 429 holds back its own message only',
      edits: [
        {
          file: 'src/core/integrations/integration-health.ts',
          find: "outcome.kind === 'retry' && outcome.paces) {",
          replace: "outcome.kind === 'retry' && outcome.paces && nowMs === 0) {",
        },
        {
          file: 'src/core/delivery/pace.ts',
          find: '|| outcome.paces !== true) continue',
          replace: '|| nowMs > 0) continue',
        },
      ],
      turnsRed: 'faults',
    },
    {
      name: 'each node learns of a 429 by itself, and only how long to be silent',
      edits: [
        {
          file: 'src/core/delivery/pace.ts',
          find: '|| outcome.paces !== true) continue',
          replace: '|| nowMs > 0) continue',
        },
      ],
      turnsRed: 'pace',
    },
    {
      name: 'one integration may hold every worker',
      edits: [
        {
          file: 'src/core/integrations/integration-health.ts',
          find: 'isSlow(id, nowMs) ? slowWorkersAtOnce : workersAtOnce',
          replace: 'isSlow(id, nowMs) ? 100 * slowWorkersAtOnce : 100 * workersAtOnce',
        },
        {
          file: 'src/core/delivery/deliver.ts',
          find: '  if (ctx.health.callsUnderWay() < mostWithoutWorker) onBegun()',
          replace: '  if (mostWithoutWorker < 0) onBegun()',
        },
      ],
      turnsRed: 'neighbour',
    },
    {
      name: 'whoever needs a token renews it, whoever else does',
      edits: [
        {
          file: 'src/store/channels/connections.ts',
          find: 'or renewing_until <= clock_timestamp())`',
          replace: 'or renewing_until is not null)`',
        },
        {
          file: 'src/core/channels/connection-token.ts',
          find: '!known.isRenewed && (await',
          replace: 'true && (await',
        },
      ],
      turnsRed: 'renewals',
    },
    {
      name: 'a token that was refused is asked about again and again',
      edits: [
        {
          file: 'src/store/channels/connections.ts',
          find: 'refused = coalesce(${result.refused}, refused)`',
          replace: 'refused = coalesce(refused, nullif(${result.refused}, ${result.refused}))`',
        },
        {
          file: 'src/store/channels/connections.ts',
          find: 'and auth_number = ${authNumber} and refused is null',
          replace: 'and auth_number = ${authNumber}',
        },
        {
          file: 'src/core/channels/connection-token.ts',
          find: 'if (known.refused !== null)',
          replace: "if (known.refused === '')",
        },
      ],
      turnsRed: 'renewals',
    },
    {
      name: 'a token that could not be renewed is as good as none',
      edits: [
        {
          file: 'src/core/channels/connection-token.ts',
          find: "return fault.kind === 'rejected' && fault.because === 'connection' ? fault.reason : null",
          replace: "return fault.kind === 'unknown' ? fault.reason : null",
        },
        {
          file: 'src/core/delivery/chat-target.ts',
          find: 'return isRefused ? [{ id, authNumber, refused: outcome.reason }] : []',
          replace: "return isRefused && id === '' ? [{ id, authNumber, refused: outcome.reason }] : []",
        },
      ],
      turnsRed: 'chats',
    },
    {
      name: 'a refused workspace goes on being asked',
      edits: [
        {
          file: 'src/core/delivery/chat-target.ts',
          find: 'return isRefused ? [{ id, authNumber, refused: outcome.reason }] : []',
          replace: "return isRefused && id === '' ? [{ id, authNumber, refused: outcome.reason }] : []",
        },
      ],
      turnsRed: 'chat faults',
    },
    {
      name: 'a 429 of one channel holds back the whole app',
      edits: [
        {
          file: 'src/providers/chat/slack.ts',
          find: 'readReply({ ...reply, status: 429 }, { ofTarget: true })',
          replace: 'readReply({ ...reply, status: 429 })',
        },
      ],
      turnsRed: 'chat faults',
    },
    {
      name: 'never another integration than the first',
      edits: [
        {
          file: 'src/core/integrations/pick-integration.ts',
          find: 'of usable.toSorted((a, b) => rank(a) - rank(b))',
          replace: 'of usable.slice(0, 1 + 0 * rank(usable[0]))',
        },
      ],
      turnsRed: 'failover',
    },
  ],
})
