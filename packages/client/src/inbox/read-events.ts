export type StreamEvent = { name: string; data: string } | { retryMs: number }

/** Reads server-sent events. `onBytes` is called for whatever comes, also for comments that only say "still here". */
export async function* readEvents(
  body: ReadableStream<Uint8Array>,
  onBytes: () => void,
): AsyncGenerator<StreamEvent, void> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let rest = ''
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      onBytes()
      rest += decoder.decode(value, { stream: true })
      // An event ends with an empty line. A carriage return at the very end may be half of a line's end.
      const blocks = rest.replaceAll(/\r\n|\r(?!$)/g, '\n').split('\n\n')
      rest = blocks.pop() ?? ''
      for (const block of blocks) yield* readBlock(block)
    }
  } finally {
    reader.cancel().catch(() => {})
  }
}

function* readBlock(block: string): Generator<StreamEvent, void> {
  let name = 'message'
  const data: string[] = []
  for (const line of block.split('\n')) {
    const [, field, value = ''] = /^(\w+)(?:: ?(.*))?$/.exec(line) ?? []
    if (field === 'event') name = value
    if (field === 'data') data.push(value)
    if (field === 'retry' && /^\d+$/.test(value)) yield { retryMs: Number(value) }
  }
  if (data.length > 0) yield { name, data: data.join('\n') }
}
