/** One instruction of a Dockerfile, with its continued lines joined. */
type Instruction = { name: string; text: string }
export type Stage = { name: string | null; instructions: Instruction[] }

/** Returns the stages of a Dockerfile in their order. */
export function readStages(dockerfile: string): Stage[] {
  const stages: Stage[] = []
  const lines = dockerfile
    .replaceAll(/^#.*\n/gm, '')
    .replaceAll(/\\\n\s*/g, '')
    .split('\n')
  for (const line of lines) {
    const [name = '', ...rest] = line.trim().split(/\s+/)
    if (name === 'FROM') stages.push({ name: /\sAS\s+(\S+)/i.exec(line)?.[1] ?? null, instructions: [] })
    else if (name) stages.at(-1)?.instructions.push({ name, text: rest.join(' ') })
  }
  return stages
}

/** Returns what the stages copy from the checkout: pairs of a path in it and a folder or file in the image. */
export function copiedFiles(stages: Stage[]): { from: string; to: string }[] {
  return stages
    .flatMap(({ instructions }) => instructions)
    .filter(({ name, text }) => name === 'COPY' && !text.includes('--from='))
    .flatMap(({ text }) => {
      const words = text.split(' ').filter((word) => !word.startsWith('--'))
      const to = words.pop() ?? ''
      return words.map((from) => ({ from, to: to.endsWith('/') ? `${to}${from}` : to }))
    })
}
