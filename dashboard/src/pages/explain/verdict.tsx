import { Badge } from '../../ui/badge.tsx'
import { isChannel, stepTypeName } from '../activity/steps.ts'
import type { Recipient } from './recipient.ts'

/** The answer in half a line. */
export function Verdict({ recipient }: { recipient: Recipient }) {
  const reached = recipient.steps.filter(
    ({ type, outcome }) => isChannel(type) && ['send', 'defer', 'wait'].includes(outcome),
  )
  const names = [...new Set(reached.map(({ type }) => stepTypeName(type)))]
  if (names.length === 0) return <Badge tone="warn">would get nothing</Badge>
  return <Badge tone="ok">{`would get: ${names.join(', ')}`}</Badge>
}
