import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { afterAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { readConfig } from '../src/config.ts'

/** There is no Docker engine where the tests run, so the file is read as Compose reads it, for the syntax it uses. */
const text = readFileSync(join(import.meta.dirname, '../compose.yaml'), 'utf8')
const folder = mkdtempSync(join(tmpdir(), 'tidings-compose-'))
afterAll(() => rmSync(folder, { recursive: true }))

type Service = { environment: Record<string, string>; ports?: string[]; image?: string; build?: string }
type Values = Record<string, string | undefined>

/** `${NAME}`, `${NAME:-default}` and `${NAME:?refusal}`. */
function fillIn(values: Values): Record<string, Service> {
  const filled = text.replaceAll(/\$\{(\w+)(?::([-?])([^}]*))?\}/g, (_all, name: string, kind: string, words = '') => {
    const value = values[name]
    if (value) return value
    if (kind === '?') throw new Error(`${name}: ${words}`)
    return words
  })
  return parse(filled).services
}

/** The lines that the command at the head of the file writes. */
function makeEnv(): Values {
  const command = /^# {3}(printf .*)$/m.exec(text)?.[1] ?? ''
  expect(command).toMatch(/> \.env$/)
  execFileSync('sh', ['-c', command], { cwd: folder })
  return parseEnv(readFileSync(join(folder, '.env'), 'utf8'))
}

describe('compose.yaml', () => {
  test('with the .env of its head, the program takes its settings and the database its password', () => {
    const values = makeEnv()
    expect(Object.keys(values).toSorted()).toEqual(['BOOTSTRAP_API_KEY', 'ENCRYPTION_KEYS', 'POSTGRES_PASSWORD'])
    const { tidings, postgres } = fillIn(values)
    const config = readConfig(tidings?.environment)
    expect(config).toMatchObject({ production: true, bootstrapApiKey: values.BOOTSTRAP_API_KEY, port: 3000 })
    expect(config.encryptionKeys.map((key) => key.id)).toEqual(['k1'])
    const url = new URL(config.databaseUrl ?? '')
    expect([url.username, url.hostname, url.password]).toEqual(['tidings', 'postgres', values.POSTGRES_PASSWORD])
    expect(postgres?.environment).toEqual({ POSTGRES_USER: 'tidings', POSTGRES_PASSWORD: values.POSTGRES_PASSWORD })
    expect(values.POSTGRES_PASSWORD).toMatch(/^[0-9a-f]{48}$/)
    expect(makeEnv().POSTGRES_PASSWORD).not.toBe(values.POSTGRES_PASSWORD)
  })

  test.each(['ENCRYPTION_KEYS', 'POSTGRES_PASSWORD'])(
    'holds no secret: without %s it refuses and says where to look',
    (name) => {
      expect(() => fillIn({ ...makeEnv(), [name]: '' })).toThrow(`${name}: the head of compose.yaml says how`)
    },
  )

  test('listens on this machine alone by default, and does not publish the database', () => {
    const values = makeEnv()
    expect(fillIn(values).tidings?.ports).toEqual(['127.0.0.1:3000:3000'])
    expect(fillIn({ ...values, TIDINGS_PUBLISH: '3000' }).tidings?.ports).toEqual(['3000:3000'])
    expect(fillIn(values).postgres?.ports).toBeUndefined()
  })
})
