import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { findRelease } from '../../chaos/soak/program-before.ts'

let folder = ''
const author = ['-c', 'user.name=test', '-c', 'user.email=test@example.com', '-c', 'commit.gpgsign=false']
const git = (...args: string[]) => execFileSync('git', [...author, ...args], { cwd: folder, encoding: 'utf8' }).trim()
const setVersion = (version: string) => writeFileSync(join(folder, 'package.json'), JSON.stringify({ version }))

/** Answers the commit. */
function commit(message: string, version?: string): string {
  if (version) setVersion(version)
  git('add', '.')
  git('commit', '-q', '--allow-empty', '-m', message)
  return git('rev-parse', 'HEAD')
}

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tidings-releases-'))
  git('init', '-q')
  commit('The beginning', '0.0.0')
})
afterEach(() => rmSync(folder, { recursive: true }))

describe('the release before this version', () => {
  test('is not the one that package.json still names', () => {
    const first = commit('Version 0.1.0', '0.1.0')
    commit('Version 0.2.0: more', '0.2.0')
    expect(findRelease(folder)).toBe(first)
    commit('Work')
    expect(findRelease(folder)).toBe(first)
  })

  test('is the last one once package.json names the next, committed or not', () => {
    commit('Version 0.1.0', '0.1.0')
    const second = commit('Version 0.2.0', '0.2.0')
    commit('Work')
    setVersion('0.3.0')
    expect(findRelease(folder)).toBe(second)
    commit('Version 0.3.0', '0.3.0')
    expect(findRelease(folder)).toBe(second)
  })

  test('may be a tag', () => {
    commit('Version 0.1.0', '0.1.0')
    const second = commit('Nothing is said of a release here', '0.2.0')
    git('tag', '-a', 'v0.2.0', '-m', 'v0.2.0')
    commit('Version 0.3.0', '0.3.0')
    git('tag', 'v0.3.0')
    expect(findRelease(folder)).toBe(second)
  })

  test('is missed aloud', () => {
    commit('Version 0.1.0', '0.1.0')
    expect(() => findRelease(folder)).toThrow('than 0.1.0')
  })
})
