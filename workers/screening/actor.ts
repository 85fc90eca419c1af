import type { Environment } from '../../core/chain/table.ts'
import type { ScreeningSource } from '../../core/config/screening.ts'
import { listenWithRetries } from '../../store/database/listen.ts'
import { type Actor, type ActorOptions, reportFailure, startLoop } from '../turns/loop.ts'
import { createScreeningClient } from './client.ts'
import { createScreening } from './turn.ts'

/** Screens payers, beside the chains' actors: it runs only where the operator has configured a service. */
export interface ScreenerOptions extends ActorOptions {
  readonly source: ScreeningSource
  readonly environment: Environment
}

const TICK_MS = 1_000

export function startScreener(given: ScreenerOptions): Actor {
  const { database, environment, source } = given
  const log = given.log.child({ actor: 'screener' })
  const screen = createScreeningClient(source, environment)
  const turn = createScreening({ database, source, screen, log })
  const loop = startLoop({
    tickMs: () => TICK_MS,
    watch: { ...given, log },
    async turn(at) {
      at('payers')
      if (await turn()) loop.wake()
    },
    onTurn: (isFailed, seconds) =>
      given.onTurn?.({ loop: 'screening', chain: '', isFailed, seconds }),
    onError(error, failures) {
      reportFailure({ ...given, log }, error, failures)
      return Math.min(5_000, 100 * 2 ** Math.min(failures, 6))
    },
  })
  const unlisten = listenWithRetries(database, {
    channel: 'screening',
    hear: () => loop.wake(),
    begin: () => loop.wake(),
    log,
  })
  return {
    ready: loop.ready,
    wake: () => loop.wake(),
    async stop() {
      await Promise.all([loop.stop(), unlisten()])
    },
  }
}
