export function Spinner({ size = 16 }: { size?: number }) {
  return (
    <svg
      aria-hidden="true"
      width={size}
      height={size}
      viewBox="0 0 16 16"
      fill="none"
      className="shrink-0 animate-spin"
    >
      <circle cx="8" cy="8" r="6" stroke="currentColor" strokeOpacity="0.25" strokeWidth="2" />
      <path d="M14 8a6 6 0 0 0-6-6" stroke="currentColor" strokeWidth="2" strokeLinecap="round" />
    </svg>
  )
}

/** Grey bars where something will be. `className` gives the size: `h-4 w-40`. */
export function Skeleton({ className = 'h-4 w-full' }: { className?: string }) {
  return <div aria-hidden="true" className={`animate-pulse rounded bg-neutral-soft ${className}`} />
}

export const numbers = (count: number) => Array.from({ length: count }, (_, index) => index)

/** Several lines of it, with a word for screen readers. */
export function SkeletonLines({ lines = 4 }: { lines?: number }) {
  return (
    <div className="flex flex-col gap-3 py-2" role="status">
      <span className="sr-only">Loading</span>
      {numbers(lines).map((index) => (
        <Skeleton key={index} className={`h-4 ${index % 3 === 2 ? 'w-2/3' : 'w-full'}`} />
      ))}
    </div>
  )
}
