import { type Connection, openConnection } from '../x402/connection.ts'

/** Open loop over many processes: requests go out at their times, without waiting for answers. */

/** What a step of rising load has shown. */
export interface Step {
  /** How much was offered a second. */
  readonly perSecond: number
  /** Of what succeeded, from the time it was due, in ms. */
  readonly latenciesMs: readonly number[]
  /** What failed, and how often. */
  readonly failures: ReadonlyMap<string, number>
}

export interface Offer {
  /** Where the processes listen: the requests go to them in turn. */
  readonly ports: readonly number[]
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly perSecond: number
  readonly count: number
  /** What is posted, by its number. */
  bodyOf(index: number): string | Promise<string>
  /** Whether an answer with status 2xx is a success. */
  isSuccess(text: string): boolean
}

/** Longer than any answer takes. */
const LIMIT_MS = 30_000
const REASON_LENGTH = 120

/** Posts everything at its time and waits for all answers. */
export async function offerAll(offer: Offer): Promise<Step> {
  const { ports, path, headers, perSecond, count, bodyOf, isSuccess } = offer
  const latenciesMs: number[] = []
  const failures = new Map<string, number>()
  const idle = ports.map((): Connection[] => [])
  const fail = (reason: string) => {
    const short = reason.slice(0, REASON_LENGTH)
    failures.set(short, (failures.get(short) ?? 0) + 1)
  }
  const post = async (i: number, dueAt: number) => {
    const own = idle[i % ports.length] ?? []
    const connection = own.pop() ?? openConnection(ports[i % ports.length] ?? 0, headers)
    try {
      const { status, text } = await connection.post(path, await bodyOf(i), LIMIT_MS)
      if (status >= 200 && status < 300 && isSuccess(text))
        latenciesMs.push(performance.now() - dueAt)
      else fail(`${status} ${text}`)
    } catch (error) {
      fail(error instanceof Error ? error.message : String(error))
    }
    own.push(connection)
  }
  await atPace(count, perSecond, post)
  for (const connection of idle.flat()) connection.close()
  return { perSecond, latenciesMs, failures }
}

/** Begins with each at its time, and waits until all have ended. */
async function atPace(
  count: number,
  perSecond: number,
  begin: (index: number, dueAt: number) => Promise<void>,
): Promise<void> {
  const start = performance.now()
  const begun: Promise<void>[] = []
  for (let i = 0; i < count; i += 1) {
    const dueAt = start + (i * 1000) / perSecond
    const pause = dueAt - performance.now()
    if (pause > 0) await Bun.sleep(pause)
    begun.push(begin(i, dueAt))
  }
  await Promise.all(begun)
}
