/**
 * Runs some work, never twice at once. Whoever asks while it runs gets it run once more afterwards, however many asked.
 * Resolves for the one who started it, when nobody asks any more; the others need not wait.
 */
export function oneAtATime(work: () => Promise<unknown>): () => Promise<'done' | 'asked'> {
  let [busy, again] = [false, false]
  return async () => {
    again = true
    if (busy) return 'asked'
    busy = true
    while (again) {
      again = false
      // What failed is shown by whoever did the work.
      await work().catch(() => {})
    }
    busy = false
    return 'done'
  }
}
