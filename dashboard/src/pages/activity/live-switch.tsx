type LiveSwitchProps = { connected: boolean; paused: boolean; onToggle(): void }

/** Says whether the list follows what happens, and lets it stand still. */
export function LiveSwitch({ connected, paused, onToggle }: LiveSwitchProps) {
  const word = paused ? 'Paused' : connected ? 'Live' : 'Connecting'
  const dot = paused ? 'bg-faint' : connected ? 'bg-ok' : 'animate-pulse bg-warn'
  return (
    <button
      type="button"
      aria-pressed={!paused}
      aria-label={`Live updates: ${word.toLowerCase()}`}
      title={paused ? 'Follow again' : 'Let the list stand still'}
      onClick={onToggle}
      className="inline-flex h-8 items-center gap-2 rounded-md border border-line-strong bg-surface px-3 font-medium hover:bg-hover"
    >
      <span className={`size-2 rounded-full ${dot}`} />
      {word}
    </button>
  )
}
