const OF_MACHINE = ['PATH', 'HOME', 'TZ', 'LD_PRELOAD', 'CLOCK_SECONDS', 'MIMALLOC_PURGE_DELAY']

/** What a process needs that is given nothing else of this one: its programs, and the time that this one has. */
export const MACHINE: Readonly<Record<string, string>> = Object.fromEntries(
  OF_MACHINE.flatMap((name) => {
    const value = process.env[name]
    return value === undefined ? [] : [[name, value]]
  }),
)

/** As long as a test takes whose sums are those of a day. */
const MARGIN_MS = 30_000
const DAY_MS = 86_400_000

/** Waits for the next day (UTC) when this one is almost over, so that all that a test does is of one day. */
export async function beginsOnOneDay(): Promise<void> {
  const left = DAY_MS - (Date.now() % DAY_MS)
  if (left < MARGIN_MS) await Bun.sleep(left)
}
