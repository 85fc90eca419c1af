import { type Connection, type HttpAnswer, openConnection } from './connection.ts'
import { member } from './json.ts'
import type { Posting } from './posting.ts'

/** Callers of a facilitator, and the answers they got. */

export interface Attempt {
  readonly posting: Posting
  /** `nothing` when no answer came. */
  readonly said: 'yes' | 'no' | 'nothing'
  /** The reason of a failure; empty for a success. */
  readonly reason: string
  /** The hash that came with a success. */
  readonly transaction: string
  readonly latencyMs: number
}

export interface Run {
  readonly attempts: readonly Attempt[]
  /** From the first request to the last answer. */
  readonly seconds: number
}

export interface Target {
  readonly port: number
  readonly path: string
  /** That go with every request. */
  readonly headers?: Readonly<Record<string, string>>
}

/** Longer than either side takes for an answer, if it answers at all. */
const LIMIT_MS = 30_000

/** Closed loop: every caller sends its next request when the answer to the last one is in. */
export async function callAndWait(
  target: Target,
  callers: number,
  span: { readonly seconds: number; readonly leastRounds: number; readonly mostSeconds: number },
  postings: Iterator<Posting>,
): Promise<Run> {
  const recorder = record(target)
  const caller = async () => {
    const connection = openConnection(target.port, target.headers)
    for (let round = 0; ; round += 1) {
      const elapsed = recorder.elapsed()
      if (elapsed > span.mostSeconds) break
      if (elapsed > span.seconds && round >= span.leastRounds) break
      const { value, done } = postings.next()
      if (done) break
      await recorder.post(connection, value, performance.now())
    }
    connection.close()
  }
  await Promise.all(Array.from({ length: callers }, caller))
  return recorder.run()
}

/** Open loop: requests are sent at their times, without waiting for answers. */
export async function offer(
  target: Target,
  perSecond: number,
  postings: readonly Posting[],
): Promise<Run> {
  const recorder = record(target)
  const start = performance.now()
  const idle: Connection[] = []
  const all: Promise<void>[] = []
  for (const [i, posting] of postings.entries()) {
    const dueAt = start + (i * 1000) / perSecond
    const pause = dueAt - performance.now()
    if (pause > 0) await Bun.sleep(pause)
    const connection = idle.pop() ?? openConnection(target.port, target.headers)
    const posted = recorder.post(connection, posting, dueAt)
    all.push(posted.then(() => void idle.push(connection)))
  }
  await Promise.all(all)
  for (const connection of idle) connection.close()
  return recorder.run()
}

/** Posts each request twice at the same time, and all of them at once. */
export async function postTwice(target: Target, postings: readonly Posting[]): Promise<Run> {
  const recorder = record(target)
  const both = postings.flatMap((posting) => [posting, posting])
  await Promise.all(
    both.map(async (posting) => {
      const connection = openConnection(target.port, target.headers)
      await recorder.post(connection, posting, performance.now())
      connection.close()
    }),
  )
  return recorder.run()
}

function record({ path }: Target) {
  const attempts: Attempt[] = []
  const start = performance.now()
  let lastAnswer = start
  return {
    elapsed: () => (performance.now() - start) / 1000,
    async post(connection: Connection, posting: Posting, from: number): Promise<void> {
      const answer = await ask(connection, path, posting)
      const now = performance.now()
      if (answer.said !== 'nothing') lastAnswer = now
      attempts.push({ posting, ...answer, latencyMs: now - from })
    },
    run: (): Run => ({ attempts, seconds: (lastAnswer - start) / 1000 }),
  }
}

type Outcome = Pick<Attempt, 'said' | 'reason' | 'transaction'>

async function ask(connection: Connection, path: string, posting: Posting): Promise<Outcome> {
  try {
    return outcomeOf(await connection.post(path, posting.body, LIMIT_MS))
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    return { said: 'nothing', reason, transaction: '' }
  }
}

/** Reads what verify and settle answer. A status other than 200 is a failure. */
function outcomeOf({ status, text }: HttpAnswer): Outcome {
  if (status !== 200) return { said: 'no', reason: `status ${status}`, transaction: '' }
  const answer: unknown = JSON.parse(text)
  const isYes = member(answer, 'success') === true || member(answer, 'isValid') === true
  const reason = member(answer, 'errorReason') ?? member(answer, 'invalidReason') ?? ''
  return {
    said: isYes ? 'yes' : 'no',
    reason: isYes ? '' : String(reason),
    transaction: String(member(answer, 'transaction') ?? ''),
  }
}
