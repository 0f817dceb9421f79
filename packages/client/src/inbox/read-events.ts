export type StreamEvent = { name: string; data: string } | { retryMs: number }

/** Reads server-sent events. Calls `onBytes` for all input, including the comments that only keep the connection open. */
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
      // An event ends with an empty line. A carriage return at the very end may be the first half of CRLF.
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
    // The flag `s` lets a value contain U+2028 and U+2029, which JSON may hold and which end no line of an event.
    const [, field, value = ''] = /^(\w+)(?:: ?(.*))?$/s.exec(line) ?? []
    if (field === 'event') name = value
    if (field === 'data') data.push(value)
    if (field === 'retry' && /^\d+$/.test(value)) yield { retryMs: Number(value) }
  }
  if (data.length > 0) yield { name, data: data.join('\n') }
}
