import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'

export type Values = Readonly<Record<string, string>>

const folder = join(import.meta.dirname, '../../deploy')

/** A file of deploy/ with every `${NAME}` filled in, as `envsubst` does it; a name without a value is a fault. */
export function fillIn(file: string, values: Values): string {
  const text = readFileSync(join(folder, file), 'utf8')
  return text.replace(/\$\{([A-Z0-9_]+)\}/g, (_, name: string) => {
    const value = values[name]
    if (value === undefined) throw new Error(`deploy/${file} wants ${name}, which nobody gives`)
    return value
  })
}

/** The names and values of deploy/patroni/cluster.env, as a shell reads them. */
export function readClusterEnv(): Record<string, string> {
  const lines = readFileSync(join(folder, 'patroni/cluster.env'), 'utf8').split('\n')
  const pairs = lines.flatMap((line) => {
    const [, name, value] = /^([A-Z0-9_]+)=(.*)$/.exec(line) ?? []
    return name === undefined || value === undefined ? [] : [[name, value.replace(/^'(.*)'$/, '$1')]]
  })
  return Object.fromEntries(pairs)
}

export type PatroniSettings = {
  ttl: number
  loop_wait: number
  retry_timeout: number
  synchronous_mode: boolean
  synchronous_mode_strict: boolean
  postgresql: { parameters: Record<string, unknown> }
}

/** What the cluster of deploy/patroni agrees on (`bootstrap.dcs`), for whoever must use the same. */
export function readPatroniSettings(fill: typeof fillIn = fillIn): PatroniSettings {
  return parse(fill('patroni/patroni.yml', readClusterEnv())).bootstrap.dcs
}
