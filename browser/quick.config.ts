import { defineConfig } from 'vitest/config'

/** The part of `npm run check` that is about the dashboard: its rules, and the quick browser tests. Build it first. */
export default defineConfig({
  test: {
    reporters: ['default', './test/summary-reporter.ts'],
    // Two browsers, each with its server, and the rules while those start.
    maxWorkers: 3,
    projects: [
      'dashboard/vitest.config.ts',
      {
        test: {
          name: 'browser',
          include: ['browser/smoke.test.ts', 'browser/journey.test.ts'],
          testTimeout: 90_000,
          hookTimeout: 60_000,
          expect: { poll: { timeout: 15_000 } },
        },
      },
    ],
  },
})
