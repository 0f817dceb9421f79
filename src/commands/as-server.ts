import type { Logger } from 'pino'
import { type Config, isProduction, readSettings } from '../config.ts'
import { createLog } from './create-log.ts'
import type { Host } from './host.ts'
import { whyFailed } from './why-failed.ts'

/**
 * Runs a command of the service. In production the process prints nothing but JSON lines: its log, why it could not start,
 * and the messages of Node itself. In development its output is for people.
 */
export async function asServer(host: Host, work: (host: Host) => Promise<void>): Promise<void> {
  if (!isProduction(readSettings())) return work(host)
  // Ignores LOG_LEVEL, because a process always reports that it has started, or why it has not.
  const log = createLog({ logLevel: 'info' })
  let config: Config | undefined
  const settings = () => {
    config = host.settings()
    return config
  }
  logWhatNodePrints(log)
  try {
    await work({ ...host, settings, print: (line) => log.info(line) })
  } catch (error) {
    log.fatal({ err: error }, whyFailed(error, config))
    host.exitCode = 1
  }
}

function logWhatNodePrints(log: Logger): void {
  process.removeAllListeners('warning')
  process.on('warning', (warning) => log.warn({ err: warning }, warning.message))
  process.on('uncaughtException', (error) => {
    log.fatal({ err: error }, 'an error that nothing caught ends the process')
    process.exit(1)
  })
}
