import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { whenOver } from '../lib/clean-up.ts'
import type { Program } from '../lib/process.ts'

/** What a node wrote last is enough to see why it ended. */
export const keptOutput = 256 * 1024

const root = join(import.meta.dirname, '../..')
export const programNow: Program = { root, keptOutput }

const gitIn = (folder: string, ...args: string[]) =>
  execFileSync('git', args, { cwd: folder, encoding: 'utf8', maxBuffer: 2 ** 30 }).trim()
const git = (...args: string[]) => gitIn(root, ...args)

export type Before = { program: Program; commit: string; subject: string }

/** The program as it was released before this one, or as of a commit that is named. */
export function openProgramBefore(named?: string): Before {
  const commit = named ? git('rev-parse', '--verify', `${named}^{commit}`) : findRelease(root)
  const home = realpathSync(mkdtempSync(join(tmpdir(), 'tidings-soak-before-')))
  whenOver(() => rmSync(home, { recursive: true, force: true }))
  const archive = join(home, 'program.tar')
  git('archive', '--output', archive, commit, 'src', 'migrations', 'package.json')
  execFileSync('tar', ['-xf', archive, '-C', home])
  rmSync(archive)
  // Exact versions are pinned and few change. Where one has, the older program runs with the newer one.
  symlinkSync(join(root, 'node_modules'), join(home, 'node_modules'))
  return {
    program: { root: home, keptOutput },
    commit: commit.slice(0, 7),
    subject: git('log', '-1', '--format=%s', commit),
  }
}

/**
 * The newest release (a tag, or a commit that says `Version`) of another version than that of today: the one that is being
 * made, or was made last and is worked on, is not the one before it.
 */
export function findRelease(folder: string): string {
  const list = (...args: string[]) => gitIn(folder, ...args).split('\n')
  const releases = new Set([
    ...list('rev-list', '--no-walk', '--tags'),
    ...list('rev-list', '--grep=^Version [0-9]', 'HEAD'),
  ])
  const versionIn = (text: string): unknown => JSON.parse(text).version
  const today = versionIn(readFileSync(join(folder, 'package.json'), 'utf8'))
  const found = list('rev-list', '--topo-order', 'HEAD').find(
    (commit) => releases.has(commit) && versionIn(gitIn(folder, 'show', `${commit}:package.json`)) !== today,
  )
  if (!found) throw new Error(`there is no release of another version than ${today}: name one with --before <commit>`)
  return found
}
