import { configDefaults, defineConfig } from 'vitest/config'

const slow = '**/*.slow.test.ts'
const blocks = 'test/docs/blocks.test.ts'
// Run in both lanes: small in `main`, at full size in `slow` (test/rounds.ts).
const sized = [
  'src/core/pipeline/waiting-*.test.ts',
  'src/store/keyset.test.ts',
  'src/render/plain.test.ts',
  'src/lib/parse-in-turns.test.ts',
  'src/core/publishing/{many,whole}.test.ts',
]
// Every route once, every task and loop; .ci/long adds the rest (TEST_SIZE=full).
const onDatabase = [
  'src/tasks/{row-level-security,expand-statements,held-environments}.test.ts',
  'src/core/publishing/{publish,put-back}.test.ts',
  ...(process.env.TEST_SIZE === 'full'
    ? [
        'src/routes/**/*.test.ts',
        'src/core/publishing/{diff,names,attack}.test.ts',
        'src/core/{sends,sign-in}/*.test.ts',
        'src/http/dashboard/{sessions,activity-watcher}.test.ts',
      ]
    : ['src/routes/**/contract.test.ts']),
]

export default defineConfig({
  test: {
    reporters: ['default', './test/summary-reporter.ts'],
    globalSetup: 'test/global-setup.ts',
    // The files of a worker share one module graph: importing the whole program anew for each cost more than its tests.
    isolate: false,
    // Most of a test's time is spent waiting for PostgreSQL or a peer: more workers than cores pay.
    maxWorkers: 4,
    // No test is judged by these two: they end what hangs. Where a time is promised, the test says so itself.
    testTimeout: 90_000,
    expect: { poll: { timeout: 15_000 } },
    // A new database waits for a checkpoint: on a slow disk a minute.
    hookTimeout: 120_000,
    projects: [
      {
        extends: true,
        test: {
          name: 'main',
          include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
          exclude: [...configDefaults.exclude, slow, blocks],
        },
      },
      {
        // Not among many, because a guide says "sleep 1" to people whose machine does nothing else.
        extends: true,
        test: { name: 'docs', include: [blocks] },
      },
      {
        // What is slow by nature: whole processes, servers of their own, thousands of rounds. Only .ci/long runs it.
        extends: true,
        test: { name: 'slow', env: { TEST_SIZE: 'full' }, include: [slow, ...sized] },
      },
      {
        // The same tests once more, as a role that row-level security holds: a statement that forgot its environment
        // finds nothing and turns red.
        extends: true,
        test: { name: 'rls', env: { TEST_RLS: '1' }, include: onDatabase },
      },
      // By itself also `vitest run --config dashboard/vitest.config.ts`, which makes no database first.
      'dashboard/vitest.config.ts',
    ],
  },
})
