/** How often a test repeats itself: few times in `npm run check`, as often as it takes to be sure in CI's slow lane. */
export function rounds({ quick, full }: { quick: number; full: number }): number {
  return process.env.TEST_SIZE === 'full' ? full : quick
}
