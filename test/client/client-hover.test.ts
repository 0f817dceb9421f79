import { createRequire } from 'node:module'
import { join } from 'node:path'
import { expect, test } from 'vitest'

/** The text that an editor shows when you point at a call of the client. */
const root = join(import.meta.dirname, '..', '..')
const file = join(root, 'test/client/hovered.ts')

const calls = [
  'client.trigger',
  'client.triggerBulk',
  'client.broadcast',
  'client.explain',
  'client.subscribers.create',
  'client.subscribers.update',
  'client.subscribers.list',
  'client.topics.subscribe',
  'client.workflows.create',
  'client.workflows.get',
  'client.integrations.update',
  'client.messages.list',
  'mine.list',
  'mine.read',
  'mine.setPreferences',
  'shown.notifications',
  'shown.read',
]
const text = `import { inbox } from '../../packages/client/src/inbox/inbox.ts'
import { useInbox } from '../../packages/client/src/react/use-inbox.ts'
import { tidings } from '../../packages/client/src/tidings.ts'
const client = tidings({ url: '', key: '' })
const mine = inbox({ url: '', token: '' })
const shown = useInbox(null)
${calls.join('\n')}
`

/** The language service that editors use. TypeScript 7 has none in JavaScript; the dashboard's tools bring 5.9. */
async function startEditor(): Promise<{ hover(position: number): string }> {
  const path = createRequire(join(root, 'dashboard/package.json')).resolve('typescript')
  const { default: ts }: { default: typeof import('../../dashboard/node_modules/typescript/lib/typescript.js') } =
    await import(path)
  const options = {
    strict: true,
    target: ts.ScriptTarget.ES2022,
    lib: ['lib.es2022.d.ts', 'lib.dom.d.ts'],
    module: ts.ModuleKind.NodeNext,
    allowImportingTsExtensions: true,
    noEmit: true,
    types: [],
  }
  const service = ts.createLanguageService({
    getCompilationSettings: () => options,
    getScriptFileNames: () => [file],
    getScriptVersion: () => '1',
    getScriptSnapshot(name) {
      const own = name === file ? text : ts.sys.readFile(name)
      return own === undefined ? undefined : ts.ScriptSnapshot.fromString(own)
    },
    getCurrentDirectory: () => root,
    getDefaultLibFileName: (settings) => ts.getDefaultLibFilePath(settings),
    fileExists: (name) => name === file || ts.sys.fileExists(name),
    readFile: ts.sys.readFile,
  })
  return { hover: (position) => ts.displayPartsToString(service.getQuickInfoAtPosition(file, position)?.displayParts) }
}

test('every call is shown by names that a person can read', async () => {
  const editor = await startEditor()
  const shown = Object.fromEntries(
    calls.map((call) => [call, editor.hover(text.lastIndexOf(`${call}\n`) + call.length - 1).replaceAll(/\s+/g, ' ')]),
  )
  expect(
    Object.values(shown).filter((it) => it === '' || /Body<|\$\{|PATCH |"\/v|Operations|\bany\b/.test(it)),
  ).toEqual([])
  expect(Object.values(shown)).toHaveLength(17)
  expect(shown).toMatchObject({
    'client.subscribers.create':
      '(method) Subscribers.create(subscriber: CreateSubscriber, query?: CreateSubscriberOptions, options?: CallOptions): Promise<Subscriber>',
    'client.trigger': '(method) Tidings.trigger(event: TriggerEvent, options?: CallOptions): Promise<TriggerResult>',
    'shown.notifications': '(property) InboxState.notifications: readonly InboxNotification[]',
  })
})
