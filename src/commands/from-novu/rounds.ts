/**
 * Whether something goes round: keeps one mark, which is left ever further behind (Brent), so that a circle of any length
 * is found without holding it.
 */
export function createRoundFinder(): (mark: string) => boolean {
  let kept: string | null = null
  let [steps, limit] = [0, 1]
  return (mark) => {
    if (mark === kept) return true
    steps += 1
    if (steps === limit) {
      kept = mark
      steps = 0
      limit *= 2
    }
    return false
  }
}
