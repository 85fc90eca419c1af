import type { Logger } from 'pino'
import type { Database } from '../../store/database/database.ts'
import type { Leadership } from '../../store/database/leadership.ts'
import { hasCaughtUp, shownSchema, showSchema } from '../deployment/views.ts'

/**
 * Which of several indexers works on a database. Of those that write the same tables one runs, and the others
 * wait for its end. One whose tables are others, because its release or its configuration is, fills them beside
 * the one at work, and takes over when it has come as far: the views then show its tables, and the one before
 * stops. The latest start takes over; the replaced one waits until it is alone, or is restarted.
 */
export interface Handover {
  /**
   * How Ponder is to be started now, `false` while others work. Without `createsViews` the views are left to
   * this process, because they show another process's tables.
   */
  begin(): Promise<{ readonly createsViews: boolean; readonly isAlone: boolean } | false>
  /** Checks once; false when Ponder has to stop, because another process has taken over. */
  mayContinue(): Promise<boolean>
}

export interface HandoverParts {
  readonly database: Database
  readonly schema: string
  /** Of the tables of this deployment. */
  readonly own: Leadership
  /** Of the whole database: held by the one whose tables are shown. */
  readonly turn: Leadership
  readonly log: Logger
  /**
   * Called with whether a rollout may continue: this process is active, or waits for one of the same tables.
   */
  readonly onReady: (isReady: boolean) => void
  /** Called at each start once the views show this deployment's tables, and again for as long as it fails. */
  readonly onShown: () => Promise<void>
}

export function openHandover({
  database,
  schema,
  own,
  turn,
  log,
  onReady,
  onShown,
}: HandoverParts): Handover {
  let hasTurn = false
  let wasShown = false
  let isFollowed = false
  let isNoted = false

  async function stepBack(): Promise<false> {
    log.warn({ schema }, 'another indexer has taken over; Ponder is stopped')
    isFollowed = true
    wasShown = false
    hasTurn = false
    await turn.leave()
    onReady(false)
    return false
  }

  async function takeOver(): Promise<void> {
    if (!(await hasCaughtUp(database, schema))) return
    await showSchema(database, schema)
    log.info({ schema }, 'the views show the tables of this deployment')
  }

  return {
    async begin() {
      isNoted = false
      if (!(await own.hold())) {
        onReady(true)
        return false
      }
      const shown = await shownSchema(database)
      isFollowed ||= wasShown && shown !== null && shown !== schema
      hasTurn = await turn.hold()
      const isAlone = hasTurn
      if (hasTurn) isFollowed = false
      // Who leads before there are views is about to make them.
      else if (isFollowed || shown === null || shown === schema) return false
      wasShown = shown === schema
      return { createsViews: shown === null || shown === schema, isAlone }
    },
    async mayContinue() {
      if (!(await own.hold())) return await stepBack()
      const shown = await shownSchema(database)
      if (shown === schema) {
        wasShown = true
        hasTurn = await turn.hold()
        if (!isNoted) await onShown()
        isNoted = true
        onReady(true)
        return true
      }
      if (wasShown) return await stepBack()
      if (hasTurn && !(await turn.hold())) return await stepBack()
      if (shown !== null) await takeOver()
      return true
    },
  }
}
