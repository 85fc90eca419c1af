import { measureLists } from './dashboard/lists.ts'
import { measurePages } from './dashboard/pages.ts'
import { openVisitor } from './dashboard/visitor.ts'
import type { HistorySelection } from './history/selection.ts'
import { openWorld } from './history/world.ts'
import type { Report } from './report.ts'

/** Measures the waiting times of the dashboard's users, on top of a long history. */
export async function measureDashboard(
  report: Report,
  { postgres, kept, ...size }: HistorySelection,
  quick: boolean,
): Promise<void> {
  const world = await openWorld(size, { postgres, kept })
  const visitor = await openVisitor(world)
  try {
    await measureLists(report, world, visitor)
    await measurePages(report, visitor, quick)
  } finally {
    await visitor.close()
    await world.close()
  }
}
