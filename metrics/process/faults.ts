import type { Logger } from 'pino'

/**
 * Ends the process with code 1 for an error that nothing has caught, as the runtime would. The
 * runtime would print all of the error, also the URL of a node with its key; the log has its short form.
 */
export function endOnFault(log: Pick<Logger, 'fatal'>): void {
  for (const event of ['uncaughtException', 'unhandledRejection'] as const) {
    process.on(event, (error: unknown) => {
      log.fatal({ err: error }, 'the process ends: nothing has caught an error')
      process.exit(1)
    })
  }
}
