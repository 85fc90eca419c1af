/** What a start does: what each step waited for, when it began and how long it took. */

interface Step {
  readonly name: string
  /** The steps that it waited for. */
  readonly after: readonly string[]
  /** Since the start, in ms. */
  readonly begunMs: number
  tookMs: number | null
}

export class Steps {
  readonly #steps: Step[] = []

  constructor(
    /** By Date.now(). */
    private readonly startedAt: number,
  ) {}

  /** Does a step of the start, whose caller has waited for those of `after`. */
  async run<T>(name: string, after: readonly string[], work: () => Promise<T>): Promise<T> {
    const step: Step = { name, after, begunMs: Date.now() - this.startedAt, tookMs: null }
    this.#steps.push(step)
    const result = await work()
    step.tookMs = Date.now() - this.startedAt - step.begunMs
    return result
  }

  /** A line for each step that has ended, in the order in which they began. */
  table(): readonly (readonly [string, string])[] {
    return this.#steps.flatMap(({ name, after, begunMs, tookMs }) => {
      if (tookMs === null) return []
      const waited = after.length === 0 ? '' : `, after ${after.join(', ')}`
      return [[name, `${inSeconds(begunMs)} + ${inSeconds(tookMs)} s${waited}`] as const]
    })
  }

  /** Since the start, e.g. `3.8 s`. */
  elapsed(): string {
    return `${((Date.now() - this.startedAt) / 1000).toFixed(1)} s`
  }
}

/**
 * Waits for all of them, also when one fails: what is still starting could not be stopped yet.
 * @throws the error of the first that failed.
 */
export async function together<T extends readonly unknown[]>(
  ...work: T
): Promise<{ -readonly [K in keyof T]: Awaited<T[K]> }> {
  await Promise.allSettled(work)
  return await Promise.all(work)
}

function inSeconds(ms: number): string {
  return (ms / 1000).toFixed(2)
}
