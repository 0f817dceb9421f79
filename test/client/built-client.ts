import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export const root = join(import.meta.dirname, '..', '..')
const tsc = join(root, 'node_modules/.bin/tsc')

export type Project = {
  folder: string
  /** Compiles files as a new project does, with `strict`. Returns what the compiler prints; nothing if all is well. */
  compile(files: Record<string, string>): string
  remove(): void
}

/** Makes a project outside the repository that has the built client, React and their types, and nothing else. */
export function makeProject(): Project {
  const folder = mkdtempSync(join(tmpdir(), 'tidings-project-'))
  const installed = join(folder, 'node_modules/@tidings/client')
  mkdirSync(installed, { recursive: true })
  mkdirSync(join(folder, 'node_modules/@types'))
  for (const name of ['react', 'csstype', '@types/react', '@types/node', 'undici-types'])
    symlinkSync(join(root, 'node_modules', name), join(folder, 'node_modules', name))
  copyFileSync(join(root, 'packages/client/package.json'), join(installed, 'package.json'))
  const built = ['-p', join(root, 'packages/client'), '--noEmit', 'false', '--outDir', join(installed, 'dist')]
  execFileSync(tsc, built, { encoding: 'utf8' })
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, type: 'module' }))

  return {
    folder,
    compile(files) {
      for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
      const compilerOptions = {
        strict: true,
        noEmit: true,
        target: 'es2022',
        lib: ['es2022', 'dom', 'dom.iterable'],
        module: 'esnext',
        moduleResolution: 'bundler',
        moduleDetection: 'force',
        jsx: 'react-jsx',
        types: ['node'],
        skipLibCheck: true,
      }
      writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: Object.keys(files) }))
      try {
        return execFileSync(tsc, ['-p', folder], { encoding: 'utf8', stdio: 'pipe' })
      } catch (error) {
        return String(Object(error).stdout)
      }
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}
