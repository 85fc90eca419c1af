import type { Database } from '../database/database.ts'

/** How many responses a batch reads, and as many more as were received in the same millisecond. */
const ANSWERS_AT_ONCE = 200

export interface AnswerPass {
  readonly forgotten: number
  /** The time of the last attempt that was read; null when there was none left. */
  readonly reached: Date | null
}

/**
 * Forgets what endpoints answered to attempts of before `before`, of a batch that begins after a moment.
 * That there was an attempt, its status and its time stay for as long as the event does. A delivery that
 * is still to be made keeps its answers.
 */
export async function forgetAnswers(
  database: Database,
  before: Date,
  after: Date | null,
): Promise<AnswerPass> {
  const [row] = await database<{ forgotten: number; reached: Date | null }[]>`
    with seen as materialized (
      select delivery_id, number, at from webhook_attempt
      where answer is not null and at > ${after ?? new Date(0)} and at < ${before}
      order by at fetch first ${ANSWERS_AT_ONCE} rows with ties
    ), forgotten as (
      update webhook_attempt a set answer = null
      from seen join webhook_delivery d on d.id = seen.delivery_id and d.state <> 'pending'
      where a.delivery_id = seen.delivery_id and a.number = seen.number
      returning a.number
    )
    select (select count(*)::int from forgotten) as forgotten, (select max(at) from seen) as reached`
  if (!row) throw new Error('the retention of answers gave no answer')
  return row
}

/** Forgets the counters of deliveries that are no longer kept. */
export async function forgetEmptyTallies(database: Database): Promise<void> {
  await database`delete from delivery_tally where deliveries = 0`
}
