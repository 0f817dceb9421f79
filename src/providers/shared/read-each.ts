import type { Outcome } from '../outcome.ts'

/**
 * One outcome of a call that was answered for each recipient. Accepted for one is accepted, because a retry would send
 * it to them again; the note says what became of the others. Without any results `none` decides.
 */
export function readEach(results: unknown, read: (result: unknown) => Outcome, none: Outcome): Outcome {
  const outcomes = (Array.isArray(results) ? results : []).map((result) => read(result))
  const find = <K extends Outcome['kind']>(kind: K) =>
    outcomes.find((outcome): outcome is Extract<Outcome, { kind: K }> => outcome.kind === kind)
  const sent = find('sent')
  const others = outcomes.flatMap((outcome) => (outcome.kind === 'sent' ? [] : outcome.reason))
  if (!sent) return find('unknown') ?? find('retry') ?? outcomes[0] ?? none
  if (others.length === 0) return sent
  const note = `${others.length} of ${outcomes.length} recipients refused: ${[...new Set(others)].slice(0, 5).join(', ')}`
  return { ...sent, note: note.slice(0, 500) }
}
