import type { PathWith } from '../../../api/calls.ts'
import { toSearch } from '../../../lib/to-search.ts'
import { buttonLooks } from '../../../ui/button.tsx'
import { Icon } from '../../../ui/icon.tsx'
import type { RecordQuery } from './filter.ts'

const path: PathWith<'get'> = '/v1/changes/export'

/** What the filters leave, as a file that the browser keeps while it comes. */
export function ExportLink({ query, slug }: { query: RecordQuery; slug: string }) {
  return (
    <a
      href={path + toSearch({ ...query, environment: slug })}
      download={`record-${query.of ?? slug}.jsonl`}
      title="As JSON lines, the oldest first"
      className={buttonLooks({})}
    >
      <Icon name="download" size={14} />
      Export
    </a>
  )
}
