/** Work that takes long. Without `value` it only says that something goes on. */
export function Progress({
  label,
  value,
  max = 100,
  note,
}: {
  label: string
  value?: number
  max?: number
  note?: string
}) {
  const share = value === undefined ? null : Math.min(100, (value / Math.max(1, max)) * 100)
  return (
    <div className="flex flex-col gap-1.5">
      <div className="flex justify-between gap-4 text-sm">
        <span>{label}</span>
        <span className="text-muted">{note ?? (share === null ? 'working' : `${Math.round(share)} %`)}</span>
      </div>
      <div
        role="progressbar"
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={100}
        {...(share !== null && { 'aria-valuenow': Math.round(share) })}
        className="h-1.5 overflow-hidden rounded-full bg-neutral-soft"
      >
        <div
          className={`h-full rounded-full bg-accent transition-[width] duration-300 ${share === null ? 'w-1/3 animate-pulse' : ''}`}
          style={share === null ? undefined : { width: `${share}%` }}
        />
      </div>
    </div>
  )
}
