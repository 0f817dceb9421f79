import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeProject, type Project, root } from './built-client.ts'

/** The code that people copy compiles as printed, with TypeScript's `strict`, against the built package. */
let project: Project
beforeAll(() => {
  project = makeProject()
})
afterAll(() => project.remove())

const textOf = (file: string) => readFileSync(join(root, file), 'utf8')

/** Writes each block of JavaScript or TypeScript to a file that is named after its line. */
function snippetsIn(page: string): [name: string, text: string][] {
  const text = textOf(page)
  return [...text.matchAll(/^ *```(js|jsx|ts|tsx)\n(.*?)^ *```$/gms)].map(
    ({ 1: language = '', 2: code = '', index }) => {
      const line = text.slice(0, index).split('\n').length
      return [`line-${line}.${language.endsWith('x') ? 'tsx' : 'ts'}`, code]
    },
  )
}

/** The stock component is not installed here. These are the properties that the guide sets. */
const stock = `declare module '@novu/react' {
  export function Inbox(properties: {
    applicationIdentifier: string
    subscriberId: string
    subscriberHash: string
    backendUrl: string
    socketUrl: string
  }): import('react').ReactNode
}
`

/** The guide tells people to copy this file. */
const component = textOf('examples/own-react-inbox/src/inbox-bell.tsx')

describe.each([
  ['packages/client/README.md', 7],
  ['docs/inbox.md', 6],
])('%s', (page, count) => {
  const snippets = snippetsIn(page)

  test('has the snippets that are looked for', () => expect(snippets).toHaveLength(count))

  test('each compiles as printed', () => {
    const known = { 'stock.d.ts': stock, 'inbox-bell.tsx': component }
    expect(project.compile({ ...known, ...Object.fromEntries(snippets) })).toBe('')
  })
})

test('a snippet that imports a missing name is found', () => {
  const text =
    "import { inbox } from '@tidings/client/inbox'\ninbox({ url: '', token: '' }).listen({ connected: show })\n"
  expect(project.compile({ 'wrong.ts': text })).toContain("Cannot find name 'show'")
})
