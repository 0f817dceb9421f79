import { join } from 'node:path'
import tailwindcss from '@tailwindcss/vite'
import { defineConfig } from 'vite'
import { bundleNotices } from './scripts/bundle-notices.ts'

// `npm run dev -w dashboard` shows the pages with a running server behind them.
const server = process.env.TIDINGS_URL ?? 'http://127.0.0.1:3000'
const served = ['/v1', '/v2', '/session', '/health', '/preview-frame', '/openapi.json', '/docs']

export default defineConfig({
  root: import.meta.dirname,
  plugins: [tailwindcss(), bundleNotices(join(import.meta.dirname, '../node_modules'))],
  // Our own client as it is written: nothing has to be built before the pages.
  resolve: { alias: { '@tidings/client/inbox': join(import.meta.dirname, '../packages/client/src/inbox/inbox.ts') } },
  oxc: { jsx: { runtime: 'automatic', importSource: 'react' } },
  build: {
    target: 'es2022',
    // The page's policy allows fonts from files only, not from data: addresses.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      // "use client" means nothing here; every file of the router says it.
      onwarn: (warning, warn) => warning.code !== 'MODULE_LEVEL_DIRECTIVE' && warn(warning),
    },
  },
  server: { proxy: Object.fromEntries(served.map((path) => [path, { target: server, changeOrigin: false }])) },
})
