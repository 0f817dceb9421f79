// biome-ignore-all lint/suspicious/noTemplateCurlyInString: mutations quote the program's own source
import { defineArea } from '../lib/area.ts'
import { alone, type World } from '../lib/world.ts'
import { pausedAgainAndAgain } from '../rows/sends/paused.ts'
import { refusedInTheMiddle } from '../rows/sends/refused.ts'

export const sends = defineArea<World>({
  name: 'sends',
  open: async (world) => world,
  rowLimitMs: 900_000,
  rows: { refused: alone(refusedInTheMiddle), paused: alone(pausedAgainAndAgain) },
  mutations: [
    {
      name: 'the guard lets everything pass',
      edits: [
        {
          file: 'src/core/sends/judge-send.ts',
          find: 'if (n < fewest[what] || of <= 0 || (n * 100) / of <= bound) return null',
          replace: 'if (n < fewest[what] || of <= 0 || n * 100 > -bound) return null',
        },
      ],
      turnsRed: 'refused',
    },
    {
      name: 'the first people are not the only ones',
      edits: [
        {
          file: 'src/core/sends/begin-send.ts',
          find: "if (progress.state !== 'accepted' || event.notified_count + progress.notified < until) return page",
          replace: "if (progress.state !== 'accepted' || until > 0) return page",
        },
      ],
      turnsRed: 'refused',
    },
    {
      name: 'tries go through a closed door',
      edits: [
        {
          file: 'src/store/history/attempts.ts',
          find: 'and m.event_id <> all (door.stopped)',
          replace: '',
        },
        {
          file: 'src/core/sends/hold-messages.ts',
          find: "return send_state === 'paused' || send_state === 'canceling'",
          replace: "return send_state === 'never'",
        },
      ],
      turnsRed: 'paused',
    },
    {
      name: 'what was held is forgotten',
      edits: [
        {
          file: 'src/core/sends/watch-send.ts',
          find: 'if (released.messages.length > 0) await enqueueDeliveries(ctx, db, env, released.messages)',
          replace: 'void enqueueDeliveries',
        },
      ],
      turnsRed: 'refused',
    },
  ],
})
