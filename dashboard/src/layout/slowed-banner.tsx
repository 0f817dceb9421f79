import { useQuery } from '@tanstack/react-query'
import { useMay } from '../lib/may.ts'
import { paths } from '../lib/paths.ts'
import { useSession } from '../lib/session.ts'
import { environmentsQuery } from '../pages/team/environments/queries.ts'
import { Anchor } from '../ui/anchor.tsx'
import { Icon } from '../ui/icon.tsx'
import { Time } from '../ui/time.tsx'

/** At the top of every page of an environment that was slowed down by itself: why, and until when. */
export function SlowedBanner() {
  const { environment } = useSession()
  const mayRead = useMay('read')
  const { data } = useQuery({ ...environmentsQuery, enabled: mayRead, refetchInterval: 30_000 })
  const slowed = data?.find(({ _id }) => _id === environment.id)?.slowed
  if (!slowed) return null
  return (
    <section
      aria-label="Slowed down"
      className="flex flex-wrap items-center gap-x-3 gap-y-1 border-b border-line bg-warn-soft px-4 py-2 text-warn sm:px-6"
    >
      <Icon name="warn" />
      <p className="min-w-0 flex-1 basis-72">
        <strong className="font-semibold">{environment.name} is slowed down.</strong> {slowed.text} Nothing is dropped.
        It ends <Time at={slowed.until} />
      </p>
      <Anchor href={paths.sendSafety} className="rounded underline underline-offset-2">
        Safety of large sends
      </Anchor>
    </section>
  )
}
