import type { Fleet, Kind } from './fleet.ts'
import type { Step } from './offer.ts'
import type { Observed } from './ramp.ts'

/** Carries a load out, and says what Postgres and the processes of these kinds computed meanwhile. */
export async function observe(
  fleet: Fleet,
  kinds: readonly Kind[],
  load: () => Promise<Step>,
): Promise<Observed> {
  const computed = () => ({ database: fleet.databaseComputed(), held: fleet.computed(kinds) })
  const before = computed()
  const began = performance.now()
  const step = await load()
  const seconds = (performance.now() - began) / 1000
  const after = computed()
  const database = (after.database - before.database) / seconds
  return { ...step, used: { database, held: (after.held - before.held) / seconds } }
}
