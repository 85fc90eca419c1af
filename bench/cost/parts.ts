import { type ProcessorTime, timeOfFamily } from '../process.ts'
import { PARTS, type Part } from '../rpc/stack.ts'

/** Processor time by part of a deployment, and what of it a piece of work has used. */

export type Times = ReadonlyMap<Part, ProcessorTime>

export function timesOf(pids: Readonly<Record<Part, number>>): Times {
  return new Map(PARTS.map((part) => [part, timeOfFamily(pids[part])]))
}

/** What was used between two readings, in seconds. */
export function used(before: Times, after: Times): Times {
  return new Map(
    [...after].map(([part, { user, system }]) => {
      const first = before.get(part)
      return [part, { user: user - (first?.user ?? 0), system: system - (first?.system ?? 0) }]
    }),
  )
}

/** Each time, multiplied. */
export function scaled(times: Times, factor: number): Times {
  return new Map(
    [...times].map(([part, { user, system }]) => [
      part,
      { user: user * factor, system: system * factor },
    ]),
  )
}

/** The one in the middle, by all its parts together. */
export function medianOf(all: readonly Times[]): Times {
  const sorted = all.toSorted((a, b) => sumOf(a) - sumOf(b))
  return sorted[Math.floor(sorted.length / 2)] ?? new Map()
}

function sumOf(times: Times): number {
  return [...times.values()].reduce((sum, { user, system }) => sum + user + system, 0)
}

/** The header of a table whose rows are made by `cells`. */
export const HEADER = ['in all', ...PARTS.flatMap((part) => [part, `${part}, system`])]

/** Shares of these times, by which the figures of a table are multiplied: in all, and for each part. */
export function cells(times: Times, factor: number, digits: number): string[] {
  const show = (seconds: number) => (Math.max(seconds, 0) * factor).toFixed(digits)
  const byPart = PARTS.flatMap((part) => {
    const { user = 0, system = 0 } = times.get(part) ?? {}
    return [show(user + system), show(system)]
  })
  return [show(sumOf(times)), ...byPart]
}

/** Without what the parts would have used in these seconds at rest. */
export function withoutRest(times: Times, rest: Times, seconds: number): Times {
  return new Map(
    [...times].map(([part, { user, system }]) => {
      const idle = rest.get(part)
      return [
        part,
        {
          user: user - (idle?.user ?? 0) * seconds,
          system: system - (idle?.system ?? 0) * seconds,
        },
      ]
    }),
  )
}
