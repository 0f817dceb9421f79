import { registerHooks } from 'node:module'

// GitHub's packages import JSON without an import attribute, which bundlers allow and Node does not.
registerHooks({
  resolve(specifier, context, nextResolve) {
    const resolved = nextResolve(specifier, context)
    return specifier.endsWith('.json') ? { ...resolved, importAttributes: { type: 'json' } } : resolved
  },
})
const { validate } = await import('@actions/languageservice')
const { TextDocument } = await import('vscode-languageserver-textdocument')

// The validator caches files by their addresses, so every call uses a new address.
let calls = 0

/** Validates a workflow as GitHub's own editor does: keys, values, expressions, and the jobs and steps that they name. */
export async function validateWorkflow(file: string, text: string): Promise<string[]> {
  calls += 1
  const diagnostics = await validate(TextDocument.create(`file:///${calls}/${file}`, 'yaml', 1, text))
  return diagnostics.map(({ range, message }) => `${file}:${range.start.line + 1}: ${message}`)
}
