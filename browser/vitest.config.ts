import { defineConfig } from 'vitest/config'

/** npm run browser: the built dashboard in a real Chromium, against a real server. The quick part has its own config. */
export default defineConfig({
  test: {
    include: ['browser/**/*.test.ts'],
    // `npm run test:dashboard` runs the first one, and `npm run inbox-browser` the others.
    exclude: ['browser/smoke.test.ts', 'browser/stock-inbox.test.ts', 'browser/own-inbox.test.ts'],
    reporters: ['default', './test/summary-reporter.ts'],
    // What is measured here is measured in peace: one browser and one server at a time.
    fileParallelism: false,
    testTimeout: 300_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 15_000 } },
  },
})
