/**
 * npm run check-image     (as root, on Debian; it installs buildah if it is missing)
 *
 * Builds the image of the Dockerfile, on a substitute for the base image, and runs it as an operator does: `version`, `migrate`,
 * `api` and `worker` as containers of their own, as the image's user, against a PostgreSQL of this machine; a subscriber, a
 * trigger, the feed; SIGTERM. The first run takes two more minutes to make the substitute.
 */

import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { runToEnd } from '../../chaos/lib/clean-up.ts'
import { baseImage, buildah, buildImage, type Container, createContainer, installBuildah } from './buildah.ts'
import { type Launch, productionSettings, report, runCommand, startRole } from './production-program.ts'

const root = join(import.meta.dirname, '../..')
const image = `localhost/tidings-check:${process.pid}`
const labels = 'org.opencontainers.image'

type Config = { User: string; Entrypoint: string[]; Env: string[]; Labels: Record<string, string> }

await runToEnd(async () => {
  installBuildah()
  const base = baseImage()
  report(`the base has ${sizeOf(base)}`)
  const revision = execFileSync('git', ['rev-parse', 'HEAD'], { cwd: root, encoding: 'utf8' }).trim()
  buildImage(root, image, { NODE_IMAGE: base, VERSION: '1.2.3', REVISION: revision })
  report(`the image has ${sizeOf(image)}, base included`)
  const { config }: { config: Config } = JSON.parse(buildah('inspect', '--type', 'image', image)).OCIv1
  checkConfig(config, revision)

  const settings = await productionSettings('image')
  const [first, second] = [createContainer(image), createContainer(image)]
  const program =
    (container: Container): Launch =>
    (args, given) =>
      container.launch([...config.Entrypoint, ...args], given)
  await checkFiles(first)
  await runCommand(program(first), ['version'], {})
  await runCommand(program(first), ['migrate'], settings)
  const api = await startRole(program(first), 'api', settings)
  const worker = await startRole(program(second), 'worker', settings)
  await sendAndRead(api.url, settings.BOOTSTRAP_API_KEY ?? '')
  await api.stop()
  await worker.stop()
})

function sizeOf(name: string): string {
  return buildah('images', '--noheading', '--format', '{{.Size}}', name)
}

function checkConfig(config: Config, revision: string): void {
  const wanted = { title: 'Tidings', licenses: 'MIT', version: '1.2.3', revision }
  for (const [label, value] of Object.entries(wanted)) {
    const found = config.Labels[`${labels}.${label}`]
    if (found !== value) throw new Error(`the label ${label} is ${found}, not ${value}`)
  }
  if (config.User !== 'node') throw new Error(`the image runs as ${config.User}`)
  report(`labels, and the user ${config.User}`)
}

/** Checks as the user of the image that the licences are there, nothing can be changed, and the compile cache is used. */
async function checkFiles(container: Container): Promise<void> {
  const notices = ['THIRD_PARTY_NOTICES', 'dashboard/dist/THIRD_PARTY_NOTICES.txt']
  const texts = await runCommand(inShell(container), [`cat LICENSE ${notices.join(' ')}`], {}, 'the licences')
  for (const text of ['MIT License', 'The server: the packages', '@fontsource-variable/geist']) {
    if (!texts.includes(text)) throw new Error(`the licences in the image do not say "${text}"`)
  }
  const look = 'id -u; test -f src/main.ts; find /app -writable'
  const writable = await runCommand(inShell(container), [look], {}, 'its user, and what it may change under /app')
  if (writable.trim() !== '1000')
    throw new Error(`the user 1000 may change nothing under /app, and found:\n${writable}`)
  const log = { NODE_DEBUG_NATIVE: 'COMPILE_CACHE' }
  const load = `node --eval "import('/app/src/commands/serve.ts')"`
  const loaded = await runCommand(inShell(container), [load], log, 'loading the service, with a log of the cache')
  const used = loaded.match(/ for ESM .*\.\.\. success, size=/g)?.length ?? 0
  if (used < 500) throw new Error(`only ${used} modules came from the compile cache:\n${loaded.slice(0, 2_000)}`)
  report(`${used} modules come from the compile cache`)
}

function inShell(container: Container): Launch {
  return ([script = ''], settings) => container.launch(['sh', '-c', script], settings)
}

/** Does what the README does: creates a subscriber, triggers an event and reads the feed. */
async function sendAndRead(url: string, key: string): Promise<void> {
  const headers = { authorization: `ApiKey ${key}`, 'content-type': 'application/json' }
  const post = async (path: string, body: object) => {
    const reply = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) })
    if (reply.status !== 201) throw new Error(`POST ${path} answered ${reply.status}: ${await reply.text()}`)
    report(`POST ${path}: 201`)
  }
  await post('/v2/subscribers', { subscriberId: 'ada', firstName: 'Ada' })
  await post('/v1/events/trigger', { name: 'hello', to: 'ada', payload: { message: 'it works' } })
  const path = '/v1/subscribers/ada/notifications/feed'
  for (const until = performance.now() + 30_000; performance.now() < until; await sleep(50)) {
    const text = await (await fetch(url + path, { headers })).text()
    const content = /"content":"([^"]*it works[^"]*)"/.exec(text)?.[1]
    if (content) return report(`GET ${path}: "${content}"`)
  }
  throw new Error('nothing came into the feed within 30 s')
}
