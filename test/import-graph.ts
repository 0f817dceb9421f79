import { readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { parseSync, Visitor } from 'vite'

/** One import, read by a parser: static, dynamic or re-exported, of values or types. */
export type Import = {
  /** As written. */
  specifier: string
  /** The imported file, from the root of the checkout; null for a package. */
  target: string | null
  /** Only types: nothing of it is left at run time. */
  isType: boolean
  /** The imported names. */
  names: readonly string[]
}

const root = join(import.meta.dirname, '..')

// Parsed once: files do not change while a test runs.
const parsed = new Map<string, Import[]>()

/** `file`: its path from the root of the checkout. */
export function readImports(file: string): Import[] {
  const imports = parsed.get(file) ?? parseImports(file, readFileSync(join(root, file), 'utf8'))
  parsed.set(file, imports)
  return imports
}

export function parseImports(file: string, text: string): Import[] {
  const { program, module, errors } = parseSync(file, text)
  if (errors[0]) throw new Error(`${file} cannot be read: ${errors[0].message}`)
  const found: Import[] = []
  const add = (specifier: string, isType: boolean, names: readonly string[] = []) => {
    const target = specifier.startsWith('.') ? posix.join(posix.dirname(file), specifier) : null
    found.push({ specifier, isType, target, names })
  }
  for (const { moduleRequest, entries } of module.staticImports) {
    const names = entries.map(({ importName, localName }) => importName.name ?? localName.value)
    add(moduleRequest.value, entries.length > 0 && entries.every((entry) => entry.isType), names)
  }
  for (const { entries } of module.staticExports) {
    for (const entry of entries) if (entry.moduleRequest) add(entry.moduleRequest.value, entry.isType)
  }
  new Visitor({
    ImportExpression: ({ source }) => {
      if (source.type === 'Literal' && typeof source.value === 'string') add(source.value, false)
      const [text] = source.type === 'TemplateLiteral' && source.quasis.length === 1 ? source.quasis : []
      if (text) add(text.value.cooked ?? text.value.raw, false)
    },
    TSImportType: ({ source }) => add(source.value, true),
  }).visit(program)
  return found
}

/** Circles of imports, each once, as a sorted list of its files. */
export function findCircles(graph: ReadonlyMap<string, readonly string[]>): string[][] {
  const circles: string[][] = []
  const state = new Map<string, { index: number; low: number; isOpen: boolean }>()
  const stack: string[] = []
  // Tarjan's algorithm: files that reach one another form one component.
  const visit = (file: string) => {
    const own = { index: state.size, low: state.size, isOpen: true }
    state.set(file, own)
    stack.push(file)
    for (const target of graph.get(file) ?? []) {
      if (!graph.has(target)) continue
      const other = state.get(target) ?? visit(target)
      if (other.isOpen) own.low = Math.min(own.low, other.low)
    }
    if (own.low === own.index) {
      const component = stack.splice(stack.indexOf(file))
      for (const member of component) Object.assign(state.get(member) ?? {}, { isOpen: false })
      if (component.length > 1 || graph.get(file)?.includes(file)) circles.push(component.sort())
    }
    return own
  }
  for (const file of graph.keys()) if (!state.has(file)) visit(file)
  return circles
}
