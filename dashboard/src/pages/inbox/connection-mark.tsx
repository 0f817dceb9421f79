import type { Connection } from './use-look.ts'

const marks: Record<Connection, { word: string; dot: string }> = {
  connecting: { word: 'Connecting', dot: 'animate-pulse bg-warn' },
  live: { word: 'Live', dot: 'bg-ok' },
  again: { word: 'Connecting again…', dot: 'animate-pulse bg-warn' },
  ended: { word: 'Ended', dot: 'bg-faint' },
}

/** Whether what is shown is what is. */
export function ConnectionMark({ connection }: { connection: Connection }) {
  const { word, dot } = marks[connection]
  return (
    <span role="status" className="inline-flex items-center gap-2 text-sm font-medium text-muted">
      <span className={`size-2 rounded-full ${dot}`} />
      {word}
    </span>
  )
}
