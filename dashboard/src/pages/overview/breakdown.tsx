import { useQuery } from '@tanstack/react-query'
import type { NumbersSeries } from '../../api/types.ts'
import { paths } from '../../lib/paths.ts'
import { TextLink } from '../../ui/anchor.tsx'
import { Card } from '../../ui/card.tsx'
import { SkeletonLines } from '../../ui/spinner.tsx'
import { numbersQuery, type RangeId, totalOf } from './numbers.ts'

type Line = { id: string; name: string; href?: string; sent: number; failed: number; skipped: number }
const mostLines = 8

/** The busiest workflows or providers, and how each fares. */
export function Breakdown({ range, by }: { range: RangeId; by: 'workflow' | 'provider' }) {
  const { data } = useQuery(numbersQuery(range, by))
  const lines = data ? linesOf(data.series, by).slice(0, mostLines) : []
  return (
    <Card title={by === 'workflow' ? 'By workflow' : 'By provider'} flush>
      {!data && (
        <div className="px-4">
          <SkeletonLines lines={3} />
        </div>
      )}
      {data && lines.length === 0 && <p className="px-4 py-6 text-center text-muted">Nothing was sent in this time.</p>}
      {lines.length > 0 && <BreakdownTable lines={lines} by={by} />}
    </Card>
  )
}

function BreakdownTable({ lines, by }: { lines: readonly Line[]; by: 'workflow' | 'provider' }) {
  const most = Math.max(1, ...lines.map(({ sent, failed }) => sent + failed))
  return (
    <table className="w-full">
      <thead>
        <tr className="border-b border-line text-left text-sm text-muted">
          <th className="px-4 py-2 font-medium">{by === 'workflow' ? 'Workflow' : 'Provider'}</th>
          <th className="px-2 py-2 text-right font-medium">Sent</th>
          <th className="px-2 py-2 text-right font-medium max-sm:pr-4">Failed</th>
          <th className="py-2 pr-4 pl-2 text-right font-medium max-sm:hidden">Skipped</th>
        </tr>
      </thead>
      <tbody>
        {lines.map((line) => (
          <tr key={line.id} className="border-b border-line last:border-0">
            <td className="max-w-0 px-4 py-2">
              <div className="truncate">
                {line.href ? <TextLink href={line.href}>{line.name}</TextLink> : line.name}
              </div>
              <div className="mt-1 flex h-1 overflow-hidden rounded-full bg-neutral-soft" aria-hidden="true">
                <div className="bg-(--chart-ok)" style={{ width: `${(line.sent / most) * 100}%` }} />
                <div className="bg-(--chart-bad)" style={{ width: `${(line.failed / most) * 100}%` }} />
              </div>
            </td>
            <Count value={line.sent} />
            <Count value={line.failed} bad />
            <Count value={line.skipped} last />
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function Count({ value, bad, last }: { value: number; bad?: boolean; last?: boolean }) {
  const tone = value === 0 ? 'text-faint' : bad ? 'font-medium text-bad' : ''
  return (
    <td
      className={`w-16 py-2 pl-2 text-right align-top sm:w-20 ${last ? 'pr-4 max-sm:hidden' : bad ? 'pr-2 max-sm:pr-4' : 'pr-2'} ${tone}`}
    >
      {value.toLocaleString('en')}
    </td>
  )
}

function linesOf(series: readonly NumbersSeries[], by: 'workflow' | 'provider'): Line[] {
  const groups = new Map<string, NumbersSeries[]>()
  for (const one of series) {
    const id = by === 'workflow' ? one.key.workflowId : one.key.providerId
    if (id) groups.set(id, [...(groups.get(id) ?? []), one])
  }
  const lines = [...groups].map(([id, group]) => ({
    id,
    name: group[0]?.key.workflowName ?? (id === 'platform' ? 'In-app inbox' : id),
    ...(by === 'workflow' && { href: paths.workflow(id) }),
    sent: totalOf(group, 'sent'),
    failed: totalOf(group, 'failed'),
    skipped: totalOf(group, 'skipped'),
  }))
  return lines
    .filter(({ sent, failed, skipped }) => sent + failed + skipped > 0)
    .sort((a, b) => b.sent + b.failed - a.sent - a.failed)
}
