// What is counted stops here.
export const mostCounted = 10_000

export function many(count: number, one: string, more: string): string {
  return `${count === mostCounted ? `${count} or more` : count} ${count === 1 ? one : more}`
}

export function duration(seconds: number): string {
  if (seconds < 120) return `${seconds} s`
  if (seconds < 7_200) return `${Math.round(seconds / 60)} min`
  return seconds < 172_800 ? `${Math.round(seconds / 3_600)} h` : `${Math.round(seconds / 86_400)} days`
}
