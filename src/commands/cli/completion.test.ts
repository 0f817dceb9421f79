import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runProgram } from './run-program.ts'

const folder = mkdtempSync(join(tmpdir(), 'tidings-completion-'))
// Fish also offers the files of its folder.
const empty = mkdtempSync(join(folder, 'empty-'))
const fileOf = (shell: string) => join(folder, shell)
beforeAll(async () => {
  const settings = () => {
    throw new Error('completion needs no settings')
  }
  for (const shell of ['bash', 'zsh', 'fish']) {
    const print = (line: string) => writeFileSync(fileOf(shell), `${line}\n`)
    expect(await runProgram(['completion', shell], { settings, print })).toBe(0)
  }
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** The words that each shell offers after these. The last one is being typed. */
const offers: [string[], string[]][] = [
  [['st'], ['start']],
  [
    ['keys', ''],
    ['create', 'list', 'revoke'],
  ],
  [['apply', ''], []],
  [
    ['apply', './notifications', '--'],
    ['--environment', '--url', '--key', '--help'],
  ],
  [['keys', 'cr'], ['create']],
  [['keys', 'create', '--o'], ['--organization']],
  [['keys', 'create', 'production', '--note', 'words', '--d'], ['--days']],
  [
    ['keys', 'create', '--scope', ''],
    ['everything', 'trigger', 'read', 'inbox'],
  ],
  [['environments', 'move', 'x', '--g'], ['--give-up']],
  [['completion', 'b'], ['bash']],
  [['keys', 'create', 'list', '--sc'], ['--scope']],
]

describe('bash, which sources the script and completes', () => {
  test.each(offers)('%j', (words, expected) => {
    const ask = `
      COMP_WORDS=(tidings "$@"); COMP_CWORD=$#
      $(complete -p tidings | sed 's/.*-F \\([^ ]*\\) .*/\\1/')
      printf '%s\\n' "\${COMPREPLY[@]}"`
    const args = ['-c', `source "$0"\n${ask}`, fileOf('bash'), ...words]
    const { stdout, stderr, status } = spawnSync('bash', args, { encoding: 'utf8' })
    expect([status, stderr]).toEqual([0, ''])
    expect(stdout.split('\n').filter(Boolean)).toEqual(expected)
  })
})

const hasShell = (shell: string) => spawnSync(shell, ['--version']).status === 0

describe.skipIf(!hasShell('zsh'))('zsh, where it is installed', () => {
  test.each(offers)('%j', (words, expected) => {
    // Outside its line editor zsh completes nothing: these functions only print what they are given.
    const ask = `
      compdef() { completer=$1 }
      compadd() { shift; print -l -- "$@" }
      _files() { }
      source "$0"
      words=(tidings "$@"); CURRENT=$#words; $completer`
    const args = ['-f', '-c', ask, fileOf('zsh'), ...words]
    const { stdout, stderr } = spawnSync('zsh', args, { encoding: 'utf8' })
    expect(stderr).toBe('')
    const last = words.at(-1) ?? ''
    const offered = stdout.split('\n').filter((it) => it !== '' && it.startsWith(last))
    expect(offered).toEqual(expected)
  })
})

describe.skipIf(!hasShell('fish'))('fish, where it is installed', () => {
  test.each(offers)('%j', (words, expected) => {
    const script = `complete -c tidings -e\nsource ${fileOf('fish')}\ncomplete -C '${['tidings', ...words].join(' ')}'`
    const args = ['--no-config', '-c', script]
    const { stdout, stderr } = spawnSync('fish', args, { cwd: empty, encoding: 'utf8' })
    expect(stderr).toBe('')
    const offered = stdout.split('\n').flatMap((it) => it.split('\t')[0] || [])
    expect(offered.toSorted()).toEqual(expected.toSorted())
  })
})
