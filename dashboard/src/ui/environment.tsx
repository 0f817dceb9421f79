import type { ShownEnvironment } from '../lib/session.ts'
import { Badge } from './badge.tsx'
import { Icon } from './icon.tsx'

type Shown = Pick<ShownEnvironment, 'name' | 'color' | 'type' | 'protected'>

/** Its colour; never the only thing that tells it from others. */
export function EnvironmentDot({ color, size = 10 }: { color: string; size?: number }) {
  return (
    <span
      aria-hidden="true"
      style={{ backgroundColor: color, width: size, height: size }}
      className="shrink-0 rounded-full ring-1 ring-ink/15 ring-inset"
    />
  )
}

/** What kind it is, and whether what goes out changes there only by publishing. */
export function EnvironmentMarks({ environment }: { environment: Shown }) {
  return (
    <>
      {environment.type === 'prod' ? (
        <Badge tone="warn" title="Things are published to it">
          prod
        </Badge>
      ) : (
        <Badge title="Things are made in it">dev</Badge>
      )}
      {environment.protected && (
        <span title="Protected: workflows, layouts and languages change only by publishing" className="flex text-muted">
          <Icon name="lock" size={14} />
          <span className="sr-only">protected</span>
        </span>
      )}
    </>
  )
}
