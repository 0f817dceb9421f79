/**
 * The blocks of a guide that can be run. Comments beside them, which no reader sees, say the rest:
 *
 *     <!-- before: ID=$(…) -->      lines to run first, with what the text says in words
 *     <!-- not run: why -->         nothing here could run it
 *     <!-- needs: pg_dump … -->     run only where this command works
 *     <!-- file: a/b.yaml -->       the block is this file
 *     <!-- stays: ready at … -->    it does not end; the guide goes on beside it when it has said this
 *     <!-- shows: one · two -->     after it: each stands in what it prints
 */
export type Block = {
  /** In its guide, for messages. */
  line: number
  language: string
  text: string
  before: string
  file: string
  notRun: string
  needs: string
  stays: string
  shows: string[]
}

const fence =
  /(?<notes>(?:^ *<!-- (?:before|not run|needs|file|stays): .*? -->\n)*)^(?<indent> *)```(?<language>sh|js|yaml)\n(?<body>.*?)^ *```$(?<after>(?:\n *<!-- shows: .*? -->)*)/gms

export function blocksOf(guide: string): Block[] {
  return [...guide.matchAll(fence)].map((found) => {
    const { notes = '', indent = '', language = '', body = '', after = '' } = found.groups ?? {}
    return {
      line: guide.slice(0, found.index).split('\n').length,
      language,
      text: body.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
      before: noted(notes, 'before').join('\n'),
      file: noted(notes, 'file').join(),
      notRun: noted(notes, 'not run').join(),
      needs: noted(notes, 'needs').join(' && '),
      stays: noted(notes, 'stays').join(),
      shows: noted(after, 'shows').flatMap((it) => it.split(' · ')),
    }
  })
}

function noted(comments: string, name: string): string[] {
  return [...comments.matchAll(/<!-- ([a-z ]+): (.*?) -->/gs)].flatMap(([, named, text = '']) =>
    named === name ? [text] : [],
  )
}
