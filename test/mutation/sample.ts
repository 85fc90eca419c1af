import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Fault, keyOf } from './fault.ts'
import { scan } from './operators.ts'

/** The rooms in which the operators plant faults. */
export const ROOMS = ['core', 'store', 'workers']

/** All faults that the operators find in files whose path begins with one of these. */
export function scanAll(root: string, only: readonly string[]): Fault[] {
  const glob = new Bun.Glob(`{${ROOMS.join(',')}}/**/*.ts`)
  return [...glob.scanSync({ cwd: root })]
    .filter((file) => isWanted(file, only))
    .sort()
    .flatMap((file) => scan(file, readFileSync(join(root, file), 'utf8')))
}

/** Whether a path is one of these or begins with one; every path is when there are none. */
export function isWanted(file: string, only: readonly string[]): boolean {
  return only.length === 0 || only.some((path) => file.startsWith(path))
}

/**
 * Chooses `count` faults, as many from each room as there are to be had. A seed always chooses the
 * same; and a change to one place of a file changes little of the rest.
 */
export function sample(faults: readonly Fault[], count: number, seed: string): Fault[] {
  const queues = [...Map.groupBy(faults, ({ file }) => file.split('/')[0] ?? '').values()].map(
    (ofRoom) => ofRoom.toSorted((a, b) => lot(a, seed).localeCompare(lot(b, seed))),
  )
  const chosen: Fault[] = []
  for (let turn = 0; chosen.length < count && queues.some((queue) => turn < queue.length); turn++) {
    chosen.push(...queues.flatMap((queue) => queue[turn] ?? []).slice(0, count - chosen.length))
  }
  return chosen
}

function lot(fault: Fault, seed: string): string {
  return new Bun.CryptoHasher('sha256').update(`${seed}|${keyOf(fault)}`).digest('hex')
}
