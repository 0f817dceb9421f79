import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { useHarness } from '../../../test/harness.ts'
import { makeWorkflow } from '../../../test/pipeline.ts'
import { runProgram } from '../../commands/cli/run-program.ts'

/** Our own client has its test in test/client/own-client.test.ts, the dashboard in dialect.test.ts. */
const h = useHarness({ VENDOR_NAMES: 'novu' })

const noSettings = () => {
  throw new Error('with a URL no settings of the service are read')
}

test('pull, diff and apply work over HTTP on a server that speaks the dialect', async () => {
  const env = await h.environment()
  const folder = mkdtempSync(join(tmpdir(), 'tidings-dialect-'))
  const run = async (command: 'apply' | 'diff' | 'pull') => {
    const said: string[] = []
    const code = await runProgram([command, folder, '--url', h.url, '--key', env.key], {
      settings: noSettings,
      print: (line) => said.push(line),
    })
    return { code, said: said.join('\n') }
  }
  await makeWorkflow(env, 'order')
  expect(await run('pull')).toMatchObject({ code: 0 })
  expect(readdirSync(folder, { recursive: true }).join()).toContain('order')
  expect(await run('diff')).toMatchObject({ code: 0 })
  await env.patch('/v2/workflows/order', { name: 'Changed' })
  expect((await run('diff')).said).toContain('order')
  expect(await run('apply')).toMatchObject({ code: 0 })
  expect((await env.get('/v2/workflows/order')).body.name).toBe('order')
  rmSync(folder, { recursive: true })
})
