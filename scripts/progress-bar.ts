/** `[#####     ]  52 %  520,000 of 1,000,000  14,200/s  34 s left`, redrawn in place on a terminal. */
export function progressBar(total: number, what: string): (done: number) => void {
  const startedAt = performance.now()
  const isTerminal = process.stdout.isTTY === true
  let lastLineAt = 0
  return (done) => {
    const now = performance.now()
    if (done < total && now - lastLineAt < (isTerminal ? 100 : 5_000)) return
    lastLineAt = now
    const perSecond = (done / (now - startedAt)) * 1000
    const share = total === 0 ? 1 : done / total
    const bar = '#'.repeat(Math.round(share * 30)).padEnd(30)
    const left = Math.round((total - done) / Math.max(perSecond, 1))
    const line = `[${bar}] ${Math.floor(share * 100)} %  ${format(done)} of ${format(total)} ${what}  ${format(perSecond)}/s  ${left} s left`
    process.stdout.write(isTerminal ? `\r${line}\u001b[K${done >= total ? '\n' : ''}` : `${line}\n`)
  }
}

function format(value: number): string {
  return Math.round(value).toLocaleString('en')
}
