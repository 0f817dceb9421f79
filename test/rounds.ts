/** How often a test repeats: `quick` in `npm run check`, `full` in CI's slow lane. */
export function rounds({ quick, full }: { quick: number; full: number }): number {
  return process.env.TEST_SIZE === 'full' ? full : quick
}
