import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '../..')

test('the list of packages has what the program loads, and none of its tools', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tidings-sbom-test-'))
  try {
    const file = join(folder, 'tidings.cdx.json')
    execFileSync('npm', ['run', 'sbom', '--', file], { cwd: root })
    const list: { bomFormat: string; components: { name: string }[] } = JSON.parse(readFileSync(file, 'utf8'))
    const names = list.components.map(({ name }) => name)
    const { dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
    expect(list.bomFormat).toBe('CycloneDX')
    expect(Object.keys(dependencies).length).toBeGreaterThan(20)
    expect(names).toEqual(expect.arrayContaining(Object.keys(dependencies)))
    expect(names).not.toContain('vitest')
  } finally {
    rmSync(folder, { recursive: true })
  }
})
