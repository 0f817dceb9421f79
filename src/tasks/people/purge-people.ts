import { defineLoop } from '../../engine/define-loop.ts'
import { purgeOwnMails } from '../../store/people/own-mails.ts'
import { purgeResets } from '../../store/people/password-resets.ts'
import { purgeFlows } from '../../store/people/sign-in-flows.ts'

const keptMs = 30 * 24 * 3_600_000
const batch = 1_000

/** What became of mails is shown for a month; links and ways to an issuer that have expired lead nowhere. */
export default defineLoop({
  name: 'purge-people',
  everyMs: 3_600_000,
  async run(ctx) {
    const { db } = ctx.database
    const now = ctx.clock()
    const mails = await purgeOwnMails(db, new Date(now.getTime() - keptMs), batch)
    return mails + (await purgeResets(db, now, batch)) + (await purgeFlows(db, now, batch))
  },
})
