import type { Publication } from '../../../api/types.ts'
import { actorWords } from '../actor.ts'

export function PublishedBy({ by }: { by: Publication['createdBy'] }) {
  if (!by?.name) return <span className="text-muted">somebody who is gone</span>
  return (
    <span>
      {by.name}
      {by.type && by.type !== 'person' && <span className="text-muted"> ({actorWords[by.type]})</span>}
    </span>
  )
}
