/**
 * Works on several at a time, and finishes them in their order: what is noted after one is true of all before it. The
 * first failure ends it, after what was begun has ended. If there are no more because reading them failed, what was read
 * before is finished first: it is done, and must be noted.
 */
export async function inOrder<Given, Made>(
  given: AsyncIterable<Given>,
  lanes: number,
  work: (one: Given) => Promise<Made>,
  finish: (one: Given, made: Made) => void,
): Promise<void> {
  const begun: { one: Given; made: Promise<Made> }[] = []
  const finishAllBut = async (left: number) => {
    while (begun.length > left) {
      const first = begun.shift()
      if (first) finish(first.one, await first.made)
    }
  }
  const reading = given[Symbol.asyncIterator]()
  try {
    for (;;) {
      const next = await reading.next().catch(async (error: unknown) => {
        await finishAllBut(0)
        throw error
      })
      if (next.done) break
      const made = work(next.value)
      // Its failure is told when its turn comes.
      made.catch(() => {})
      begun.push({ one: next.value, made })
      await finishAllBut(lanes - 1)
    }
    await finishAllBut(0)
  } finally {
    await Promise.allSettled([...begun.map(({ made }) => made), reading.return?.()])
  }
}
