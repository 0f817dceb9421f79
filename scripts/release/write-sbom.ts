/**
 * npm run sbom -- tidings.cdx.json
 *
 * Writes the list of the packages in the image, in the CycloneDX format. It installs them as the Dockerfile does and asks
 * `npm sbom` about the result. `npm sbom --omit dev` in a checkout is not enough: it leaves out every package that the program
 * shares with a tool, such as pg and yaml.
 */
import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const target = process.argv[2]
if (target === undefined) throw new Error('Name the file to write: npm run sbom -- tidings.cdx.json')
const scratch = mkdtempSync(join(tmpdir(), 'tidings-sbom-'))
try {
  writeFileSync(target, listPackages(join(scratch, 'tidings')))
} finally {
  rmSync(scratch, { recursive: true })
}

/** Installs into the folder and returns the list. npm names the list after the folder. */
function listPackages(folder: string): string {
  const npm = (...args: string[]) => execFileSync('npm', args, { cwd: folder, encoding: 'utf8', maxBuffer: 2 ** 26 })
  mkdirSync(folder)
  for (const file of ['package.json', 'package-lock.json']) copyFileSync(file, join(folder, file))
  npm('ci', '--omit=dev', '--omit=optional', '--ignore-scripts', '--no-audit', '--no-fund')
  // Packages that the image leaves out must not count as missing.
  npm('pkg', 'delete', 'devDependencies', 'optionalDependencies', 'workspaces')
  const list = npm('sbom', '--sbom-format', 'cyclonedx')
  const missing = listInstalled(folder).filter((name) => !list.includes(`"bom-ref": "${name}"`))
  if (missing.length > 0) throw new Error(`npm left packages out of its list: ${missing.join(', ')}`)
  return list
}

/** Returns every installed package as `name@version`, from npm's own record of the installation. */
function listInstalled(folder: string): string[] {
  const record: { packages: Record<string, { version?: string; link?: boolean }> } = JSON.parse(
    readFileSync(join(folder, 'node_modules/.package-lock.json'), 'utf8'),
  )
  return Object.entries(record.packages)
    .filter(([path, { link }]) => path.startsWith('node_modules/') && link !== true)
    .map(([path, { version }]) => `${path.split('node_modules/').at(-1)}@${version}`)
}
