import { openDeliveries } from './fleet/deliveries.ts'
import { startFleet } from './fleet/fleet.ts'
import { openLoads } from './fleet/loads.ts'
import { measureRising } from './fleet/rising.ts'
import { type SeriesName, seriesOf } from './fleet/series.ts'
import { openPayments } from './fleet/visible.ts'
import { measureWaiting } from './fleet/waiting.ts'
import type { Report } from './report.ts'

/**
 * `bun run bench fleet`: the gain of processes added to a fleet on one Postgres, one Redis and one
 * chain.
 */
export async function measureFleet(
  report: Report,
  names: readonly SeriesName[],
  isQuick: boolean,
): Promise<void> {
  const fleet = await startFleet()
  try {
    const loads = await openLoads(fleet)
    const deliveries = await openDeliveries(fleet)
    const payments = openPayments(fleet)
    for (const name of names) {
      if (name === 'workers') await measureWaiting(report, fleet, loads, isQuick)
      else await measureRising(report, fleet, payments, seriesOf(name, loads, deliveries), isQuick)
    }
    payments.stop()
    await deliveries.stop()
  } finally {
    await fleet.stop()
  }
}
