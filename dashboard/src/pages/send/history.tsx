import type { Send } from '../../api/types.ts'
import { Card } from '../../ui/card.tsx'
import { Time } from '../../ui/time.tsx'
import { stateWord } from '../sends/words.ts'

/** Every change of its state, the newest first. */
export function History({ send }: { send: Send }) {
  const entries = send.history.toReversed()
  if (entries.length === 0) return null
  return (
    <Card title="History" flush>
      <ol>
        {entries.map(({ at, state, reason, text, by }) => (
          <li
            key={`${at} ${state}`}
            className="flex flex-wrap justify-between gap-x-4 border-b border-line px-4 py-2.5 last:border-0"
          >
            <span className="min-w-0">
              <span className="font-medium">{wordOf(state, reason)}</span>
              {by && <span className="text-muted">, by {by}</span>}
              {text && <span className="block text-sm break-words text-muted">{text}</span>}
            </span>
            <span className="text-sm text-muted">
              <Time at={at} />
            </span>
          </li>
        ))}
      </ol>
    </Card>
  )
}

/** The server may know more states than this page. */
function wordOf(state: string, reason: string | null): string {
  const known = states.find((it) => it === state)
  const word = known ? stateWord({ state: known, reason }).word : state
  return word.charAt(0).toUpperCase() + word.slice(1)
}

const states: readonly Send['state'][] = ['running', 'canary', 'waiting', 'paused', 'canceling', 'canceled', 'done']
