import { readdirSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { expectThat } from '../../lib/red.ts'
import type { InputStage } from './stage.ts'

/** I10: after all of it the node is no bigger than a node may be, and holds on to nothing. */
export async function bounds({ world, node, memoryMb }: InputStage): Promise<string> {
  await sleep(2_500)
  const [now, peak] = [node.memoryMb('VmRSS'), node.memoryMb('VmHWM')]
  expectThat(peak < 768, `the node grew to ${peak} MB`)
  const open = readdirSync(`/proc/${node.pid}/fd`).length
  expectThat(open < 300, `${open} files and sockets are open`)
  const [connections] = await world.sql<{ n: number; busy: number }>(
    // The worker's own loops speak every quarter of a second; held on to is what has not ended after two.
    `select count(*)::int as n,
       count(*) filter (where state <> 'idle' and now() - coalesce(xact_start, query_start) > '2 seconds')::int as busy
     from pg_stat_activity where datname = current_database() and application_name = 'tidings'`,
  )
  expectThat((connections?.n ?? 0) <= 14, `${connections?.n} database connections`)
  expectThat(connections?.busy === 0, `${connections?.busy} statements or transactions are still open`)
  return `memory ${memoryMb} MB at first, ${peak} MB at most, ${now} MB now; ${open} files open; ${connections?.n} idle database connections`
}
