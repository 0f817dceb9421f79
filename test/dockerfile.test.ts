import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { copiedFiles, readStages } from '../scripts/deploy/dockerfile.ts'

test('stages, continued lines and copied files of a Dockerfile are read', () => {
  const stages = readStages(
    'ARG BASE=x\n# a comment\nFROM $BASE AS one\nCOPY a.json b.json ./\nRUN first \\\n  && second\n' +
      'FROM one\nCOPY --from=one /app here\nCOPY --chown=root src lib\n',
  )
  expect(stages).toEqual([
    {
      name: 'one',
      instructions: [
        { name: 'COPY', text: 'a.json b.json ./' },
        { name: 'RUN', text: 'first && second' },
      ],
    },
    {
      name: null,
      instructions: [
        { name: 'COPY', text: '--from=one /app here' },
        { name: 'COPY', text: '--chown=root src lib' },
      ],
    },
  ])
  expect(copiedFiles(stages)).toEqual([
    { from: 'a.json', to: './a.json' },
    { from: 'b.json', to: './b.json' },
    { from: 'src', to: 'lib' },
  ])
})

test('check-install sees the install and the program of our Dockerfile', () => {
  const stages = readStages(readFileSync(join(import.meta.dirname, '../Dockerfile'), 'utf8'))
  expect(stages.map(({ name }) => name)).toEqual(['dependencies', 'dashboard', 'program', 'compiled', null])
  const program = stages.filter(({ name }) => name !== 'dashboard')
  expect(copiedFiles(program).map(({ from }) => from)).toEqual([
    'package.json',
    'package-lock.json',
    'package.json',
    'LICENSE',
    'THIRD_PARTY_NOTICES',
    'migrations',
    'src',
    'deploy/warm-compile-cache.ts',
  ])
})
