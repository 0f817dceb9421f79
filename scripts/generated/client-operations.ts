import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

/** What a published client can call: `subscribers.create`, and where it goes. */
export type ClientOperation = { name: string; method: string; path: string }

const require = createRequire(import.meta.url)

/**
 * Every operation of a version of `@novu/api`, as its own files say: the groups and methods of its class, and the method
 * and path of the function that each of them calls.
 */
export function clientOperations(packageName: string, client: object): ClientOperation[] {
  const functions = join(dirname(require.resolve(packageName)), 'funcs')
  return methodsOf(client, '').map(({ name, source }) => {
    const called = /_js_1\.(\w+)\)\(this/.exec(source)?.[1]
    if (!called) throw new Error(`${packageName}: ${name} calls no function`)
    const text = readFileSync(join(functions, `${called}.js`), 'utf8')
    const path = /pathToFunc\)\("([^"]+)"\)/.exec(text)?.[1]
    const method = /\bmethod: "([A-Z]+)"/.exec(text)?.[1]
    if (!path || !method) throw new Error(`${packageName}: ${called} has no method and path`)
    return { name, method, path }
  })
}

function methodsOf(group: object, prefix: string): { name: string; source: string }[] {
  const own = Object.getOwnPropertyDescriptors(Object.getPrototypeOf(group))
  return Object.entries(own).flatMap(([key, { get, value }]) => {
    if (get) return methodsOf(Object(get.call(group)), `${prefix}${key}.`)
    return key === 'constructor' ? [] : [{ name: prefix + key, source: String(value) }]
  })
}

/** The same address, whatever its parameters are called. */
export function addressOf({ method, path }: { method: string; path: string }): string {
  return `${method} ${path.replaceAll(/\{\w+\}/g, '{}')}`
}

/** Every method of `@novu/node`, the client before: `subscribers.identify`. */
export function olderMethods(client: object): string[] {
  return Object.entries(client)
    .filter(([, resource]) => 'http' in Object(resource))
    .flatMap(([name, resource]) =>
      Object.getOwnPropertyNames(Object.getPrototypeOf(resource))
        .filter((method) => method !== 'constructor')
        .map((method) => `${name}.${method}`),
    )
}
