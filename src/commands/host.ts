import type { Config } from '../config.ts'

/** Prints one line, or several at once. */
export type Output = (line: string) => void

/** The surroundings that the process, or a test, gives to a command. */
export type Host = {
  /** Reads the settings. `--help`, `version` and `completion` never call it. */
  settings(): Config
  print: Output
  /** How the process ends if nothing is thrown. */
  exitCode: number
}
