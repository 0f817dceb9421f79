import { execFileSync } from 'node:child_process'
import { mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { whenOver } from '../lib/clean-up.ts'
import type { Program } from '../lib/process.ts'

/** What a node wrote last is enough to see why it ended. */
export const keptOutput = 256 * 1024

const root = join(import.meta.dirname, '../..')
export const programNow: Program = { root, keptOutput }

const git = (...args: string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 30 }).trim()

export type Before = { program: Program; commit: string; subject: string }

/**
 * The program as it was released last: a commit that is named, else the last tag, else the newest commit that says
 * `Version`. A release that is being made, the commit we are at, is not the one before it.
 */
export function openProgramBefore(named?: string): Before {
  const commit = named ? git('rev-parse', '--verify', `${named}^{commit}`) : findRelease()
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

function findRelease(): string {
  const tags = git('tag', '--merged', 'HEAD~1', '--sort=-creatordate').split('\n')
  const [found] = [tags[0] ?? '', git('log', '-1', '--format=%H', '--grep=^Version [0-9]', 'HEAD~1')].filter(Boolean)
  if (!found) throw new Error('there is no release before this commit: name one with --before <commit>')
  return git('rev-parse', '--verify', `${found}^{commit}`)
}
