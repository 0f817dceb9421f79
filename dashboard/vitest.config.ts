import { defineConfig } from 'vitest/config'

/** What the dashboard thinks, without a page: neither a browser nor a database. Part of `npm run test:dashboard`. */
export default defineConfig({
  root: import.meta.dirname,
  test: {
    name: 'dashboard',
    include: ['{src,scripts}/**/*.test.ts'],
    // The tests share nothing that one could spoil for another; a process for each file would cost more than they do.
    isolate: false,
    // As in vitest.config.ts and browser/quick.config.ts: Vitest wants projects that run together to agree.
    maxWorkers: 4,
  },
})
