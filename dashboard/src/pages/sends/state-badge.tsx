import type { Send } from '../../api/types.ts'
import { Badge } from '../../ui/badge.tsx'
import { stateWord } from './words.ts'

export function StateBadge({ send }: { send: Pick<Send, 'state' | 'reason'> }) {
  const { word, tone } = stateWord(send)
  return <Badge tone={tone}>{word}</Badge>
}
