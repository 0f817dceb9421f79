import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { writeReport } from '../../bench/lib/report.ts'

const folder = mkdtempSync(join(tmpdir(), 'tidings-report-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('a report tells how busy the machine was before the run and after it', () => {
  const load = { atStart: [0.1, 0.25, 0.5], atEnd: [3, 2, 1] }
  const cluster = { version: '15', settings: ['fsync=on'] }
  const page = readFileSync(writeReport(folder, { cluster, size: 'small', load, results: [], failed: [] }), 'utf8')
  expect(page).toContain('0.10, 0.25, 0.50 before the run; 3.00, 2.00, 1.00 at its end')
})
