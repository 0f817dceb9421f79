// biome-ignore-all lint/suspicious/noTemplateCurlyInString: mutations quote the program's own source
import { defineArea } from '../lib/area.ts'
import { alone, type World } from '../lib/world.ts'
import { killedWhileTelling } from '../rows/webhooks/kill.ts'
import { slowBesideFast } from '../rows/webhooks/neighbour.ts'
import { paced } from '../rows/webhooks/paced.ts'
import { unknownAnswers } from '../rows/webhooks/unknown.ts'

export const webhooks = defineArea<World>({
  name: 'webhooks',
  open: async (world) => world,
  rowLimitMs: 300_000,
  rows: {
    kill: alone(killedWhileTelling),
    unknown: alone(unknownAnswers),
    '429': alone(paced),
    'slow beside fast': alone(slowBesideFast),
  },
  mutations: [
    {
      name: 'a try that nobody recorded counts as made',
      edits: [
        {
          file: 'src/store/webhooks/deliveries.ts',
          find: 'next_at = ${again},',
          replace: "next_at = case when ${again}::timestamptz is null then d.next_at end, state = 'delivered',",
        },
      ],
      turnsRed: 'kill',
    },
    {
      name: 'told of another message than the one that was sent',
      edits: [
        {
          file: 'src/store/webhooks/tell-of-new.ts',
          find: 'messageId: row.id,',
          replace: 'messageId: row.notification_id,',
        },
      ],
      turnsRed: 'kill',
    },
    {
      name: 'the id is another at every try',
      edits: [
        {
          file: 'src/core/webhooks/send-webhook.ts',
          find: 'signWebhook({ id, secret',
          replace: 'signWebhook({ id: id + Math.random(), secret',
        },
      ],
      turnsRed: 'kill',
    },
    {
      name: 'another text is signed than is sent',
      edits: [
        {
          file: 'src/core/webhooks/send-webhook.ts',
          find: 'secret: secrets, body, now',
          replace: 'secret: secrets, body: JSON.stringify(JSON.parse(body), null, 1), now',
        },
      ],
      turnsRed: 'unknown',
    },
    {
      name: 'what may have arrived is not sent again',
      edits: [
        {
          file: 'src/core/webhooks/retry.ts',
          find: "if (outcome.kind === 'sent') return",
          replace: "if (outcome.kind === 'sent' || outcome.kind === 'unknown') return",
        },
      ],
      turnsRed: 'unknown',
    },
    {
      name: 'every try is written anew',
      edits: [
        {
          file: 'src/store/webhooks/deliveries.ts',
          find: 'returning d.id, d.type, d.body, d.number,',
          replace: "returning d.id, d.type, d.body || repeat(' ', d.number) as body, d.number,",
        },
      ],
      turnsRed: 'unknown',
    },
    {
      name: 'a 429 is a failure like any other',
      edits: [
        {
          file: 'src/core/webhooks/retry.ts',
          find: "const isPaced = outcome.kind === 'retry' && outcome.paces !== undefined",
          replace: "const isPaced = outcome.kind === 'retry' && outcome.paces !== undefined && nowMs === 0",
        },
      ],
      turnsRed: '429',
    },
    {
      name: 'a 429 holds back its own event only',
      edits: [
        {
          file: 'src/core/webhooks/deliver-lane.ts',
          find: "if (admission.kind !== 'ok') {",
          replace: "if (admission.kind === 'broken') {",
        },
      ],
      turnsRed: '429',
    },
    {
      name: 'a lane keeps its worker, and there is one',
      edits: [
        {
          file: 'src/core/webhooks/deliver-lane.ts',
          find: 'if (health.callsUnderWay() < mostWithoutWorker) onBegun()',
          replace: 'if (health.callsUnderWay() < mostWithoutWorker - 9_999) onBegun()',
        },
        {
          file: 'src/tasks/webhooks/deliver-webhooks.ts',
          find: 'bulk: 4 }',
          replace: 'bulk: 1 }',
        },
      ],
      turnsRed: 'slow beside fast',
    },
  ],
})
