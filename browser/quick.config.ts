import { defineConfig } from 'vitest/config'

/** The part of `npm run check` that is about the dashboard: its rules, and a look at every page. Build it first. */
export default defineConfig({
  test: {
    reporters: ['default', './test/summary-reporter.ts'],
    // As in the dashboard's own config: Vitest wants projects that run together to agree.
    maxWorkers: 4,
    projects: [
      'dashboard/vitest.config.ts',
      {
        test: {
          name: 'browser',
          include: ['browser/smoke.test.ts'],
          testTimeout: 90_000,
          hookTimeout: 60_000,
          expect: { poll: { timeout: 15_000 } },
        },
      },
    ],
  },
})
