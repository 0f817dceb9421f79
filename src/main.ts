#!/usr/bin/env node
import { endOnSignalsAsProcess1 } from './commands/stop-on-signal.ts'
import type { Config } from './config.ts'

endOnSignalsAsProcess1()
// Imported only now, because loading these modules takes a fifth of a second, in which process 1 would miss a signal.
const { runProgram } = await import('./commands/cli/run-program.ts')
const { readConfig } = await import('./config.ts')

let config: Config | undefined
const settings = () => {
  config = readConfig()
  return config
}
try {
  process.exitCode = await runProgram(process.argv.slice(2), { settings, print: (line) => console.log(line) })
} catch (error) {
  // Imported only here, because it loads the database driver, and help must appear at once.
  const { whyFailed } = await import('./commands/why-failed.ts')
  console.error(whyFailed(error, config))
  process.exitCode = 1
}
