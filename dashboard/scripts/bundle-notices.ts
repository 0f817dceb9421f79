import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Plugin, Rolldown } from 'vite'
import { packageNotices } from './package-notices.ts'

export const noticesFile = 'THIRD_PARTY_NOTICES.txt'

/** Adds the licences of every package in the bundle to the built files, and a comment that leads to them to every script. */
export function bundleNotices(modulesFolder: string): Plugin {
  return {
    name: 'bundle-notices',
    outputOptions: (options) => ({ ...options, postBanner: `/*! Licences: /${noticesFile} */` }),
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        const folders = bundledPackages([...this.getModuleIds()], Object.values(bundle), modulesFolder)
        this.emitFile({ type: 'asset', fileName: noticesFile, source: packageNotices(folders) })
      },
    },
  }
}

type Output = Rolldown.OutputAsset | Rolldown.OutputChunk

/** The folders of the packages whose modules, style sheets, fonts and helpers the bundle contains. */
function bundledPackages(modules: string[], outputs: Output[], modulesFolder: string): Set<string> {
  const assets = outputs.flatMap((output) => (output.type === 'asset' ? output.originalFileNames : []))
  const written = outputs.flatMap((output) => (output.type === 'chunk' ? Object.keys(output.modules) : []))
  const files = [...modules, ...assets.map((file) => resolve(import.meta.dirname, '..', file))]
  const styles = modules.filter((file) => file.endsWith('.css') && !file.includes('/node_modules/'))
  // The bundler's own helpers have no file: "\0vite/preload-helper.js".
  const helpers = [...modules, ...written].flatMap((id) => /^\0(vite|rolldown)\//.exec(id)?.[1] ?? [])
  return new Set([
    ...files.flatMap((file) => /^[^\0].*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0] ?? []),
    ...[...styles.flatMap(importedByStyles), ...helpers].map((name) => join(modulesFolder, name)),
  ])
}

/** Returns the packages that a style sheet imports, which are not among the modules that the bundler sees. */
function importedByStyles(file: string): string[] {
  const imports = readFileSync(file, 'utf8').matchAll(/@import\s+["']((?:@[^/"']+\/)?[^./"'][^/"']*)/g)
  return [...imports].flatMap(([, name]) => name ?? [])
}
