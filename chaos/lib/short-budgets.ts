/**
 * Loaded before the program (`shortBudgets` below): a mail may take 10 s instead of a minute. What is in flight when a
 * worker dies is decided only after its deadline, and a row must not wait a minute for that. The proportions stay:
 * egress still gives up before the try's deadline passes. CHAOS_REAL_BUDGETS=1 runs the program as it is.
 */
import { registerHooks } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Edit } from '../mutate.ts'

const root = join(import.meta.dirname, '../..')
export const shortenings: readonly Edit[] = [
  { file: 'src/providers/shared/send-mail.ts', find: 'mailWithinMs = 60_000', replace: 'mailWithinMs = 10_000' },
  { file: 'src/egress/http.ts', find: 'httpTotalMs = 60_000', replace: 'httpTotalMs = 8_000' },
  { file: 'src/core/channels/connection-token.ts', find: 'renewalSeconds = 30', replace: 'renewalSeconds = 12' },
  { file: 'src/core/webhooks/send-webhook.ts', find: 'callMs = 10_000', replace: 'callMs = 3_000' },
  { file: 'src/core/webhooks/deliver-lane.ts', find: 'leaseMs = 30_000', replace: 'leaseMs = 12_000' },
  { file: 'src/egress/smtp.ts', find: 'smtpTotalMs = 60_000', replace: 'smtpTotalMs = 8_000' },
]

const isReal = process.env.CHAOS_REAL_BUDGETS === '1'

/** Settings of a node whose tries end soon. */
export const shortBudgets: Record<string, string> = isReal
  ? {}
  : { CHAOS_SHORT_BUDGETS: '1', NODE_OPTIONS: `--import=${pathToFileURL(import.meta.filename).href}` }

/** For the row's own report. */
export const budgetNote = isReal ? 'real deadlines' : 'a try shortened to 10 s'
/** The same, where webhooks are told. */
export const hookNote = isReal ? 'real deadlines' : 'a call shortened to 3 s, a lease to 12 s'
/** After which a try without a record is decided: to start, to run, and to be sure. */
export const decidedAfterMs = (isReal ? 60_000 : 10_000) + 3_000 + 5_000

if (process.env.CHAOS_SHORT_BUDGETS === '1') {
  registerHooks({
    load(url, context, nextLoad) {
      const loaded = nextLoad(url, context)
      const change = shortenings.find(({ file }) => url === pathToFileURL(join(root, file)).href)
      if (!change) return loaded
      const source = String(loaded.source)
      if (source.split(change.find).length !== 2) throw new Error(`chaos: no single "${change.find}" in ${change.file}`)
      return { ...loaded, source: source.replace(change.find, change.replace) }
    },
  })
}
