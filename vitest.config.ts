import { defineConfig } from 'vitest/config'

const onDatabase = ['src/routes/**/*.test.ts', 'test/route-contract.test.ts', 'src/http/dashboard/sessions.test.ts']

export default defineConfig({
  test: {
    reporters: ['default', './test/summary-reporter.ts'],
    globalSetup: 'test/global-setup.ts',
    // Most of a test's time is spent waiting for PostgreSQL or a peer: more workers than cores pay.
    maxWorkers: 3,
    testTimeout: 20_000,
    hookTimeout: 60_000,
    projects: [
      {
        extends: true,
        test: { name: 'main', include: ['src/**/*.test.ts', 'test/**/*.test.ts'] },
      },
      {
        // The same tests once more, as a role that row-level security holds: a statement that forgot its environment
        // finds nothing and turns red.
        extends: true,
        test: { name: 'rls', env: { TEST_RLS: '1' }, include: onDatabase },
      },
    ],
  },
})
