import { expect } from 'bun:test'
import { readQuarantine } from '../../../store/turns/quarantine.ts'
import type { FakeRpc } from '../servers/fakeRpc.ts'
import { DATABASE_FAULTS, FAULTS, type FaultName, lift, NODE_FAULTS, strike } from './faults.ts'
import { type Scene, THINGS, type Thing, TIMEOUT_MS, type World } from './scenes.ts'

/** Things of steps, what befalls one of each, and what must become of it and of the others. */

export interface Act {
  /** The step, in words. */
  readonly step: string
  readonly scene: Scene
  readonly things: readonly Thing[]
}

/** Which class of fault befalls which thing of the step at a place of the table. */
export interface Plan {
  readonly name: string
  of(scene: Scene, place: number): readonly (readonly [FaultName, at: number])[]
}

/** A connection that breaks is tried several times, with pauses: too slow for the check. */
const QUICK = NODE_FAULTS.filter((fault) => fault !== 'broken connection')

/**
 * In the check one fault of a node, where these can reach, and one of the database befall two things of each
 * step; classes and things take turns along the steps. EVERY_STEP=all tries each class at each thing of each step.
 */
export function plans(): Plan[] {
  return process.env.EVERY_STEP === 'all' ? FAULTS.flatMap(everywhere) : [alternating]
}

function everywhere(fault: FaultName): Plan[] {
  return Array.from({ length: THINGS }, (_, at) => ({
    name: `${fault}, at thing ${at + 1}`,
    of: ({ unreached }) => (unreached[fault] === undefined ? [[fault, at]] : []),
  }))
}

const alternating: Plan = {
  name: 'faults of nodes and of the database',
  of({ unreached }, place) {
    const reaching = (faults: readonly FaultName[], nth: number) => {
      const own = faults.filter((fault) => unreached[fault] === undefined)
      return own[nth % own.length]
    }
    const first = reaching(QUICK, place) ?? reaching(DATABASE_FAULTS, place)
    const second = reaching(DATABASE_FAULTS, place + 1)
    const befallen: [FaultName, number][] = []
    if (first !== undefined) befallen.push([first, place % THINGS])
    if (second !== undefined) befallen.push([second, (place + 2) % THINGS])
    return befallen
  },
}

export async function seedAll(
  world: World,
  scenes: readonly (readonly [step: string, scene: Scene])[],
): Promise<Act[]> {
  const acts: Act[] = []
  for (const [step, scene] of scenes) acts.push({ step, scene, things: await scene.seed(world) })
  return acts
}

/**
 * Lets faults befall things of each step, and expects that all others come to their ends, that what is struck is
 * quarantined and nothing of it is given up, and that it comes to its end once the fault is over. `turns` lets
 * a worker that has just begun work for a while.
 */
export async function play(
  world: World & { readonly node: FakeRpc },
  acts: readonly Act[],
  plan: Plan,
  turns: () => Promise<void>,
): Promise<void> {
  const struck = acts.flatMap((act, place) => struckIn(act, plan, place))
  const things = struck.map(([, thing]) => thing)
  expect(await openOf(world, acts)).toEqual(wordsOf(acts))
  await strike(world, struck)
  const named = struck.flatMap(([fault, { subject, besides = [] }]) =>
    [subject, ...besides].map((one) => [fault, one] as const),
  )
  const seen = async () => {
    const subjects = await quarantined(world)
    const missing = named.filter(([, one]) => !subjects.includes(one))
    return { open: await openOf(world, acts), missing: missing.map((one) => one.join(': ')) }
  }
  await turnUntil(world, seen, { open: wordsOf(acts, things), missing: [] }, turns)
  await expectPromised(world, acts, things)

  await lift(world)
  const left = async () => ({
    open: await openOf(world, acts),
    quarantined: await quarantined(world),
  })
  await turnUntil(world, left, { open: [], quarantined: [] }, turns)
}

/** Until this is seen: on a machine that is busy, steps need more turns, and innocent calls fail as well. */
async function turnUntil<T>(
  { database }: World,
  look: () => Promise<T>,
  expected: T,
  turns: () => Promise<void>,
): Promise<void> {
  const end = performance.now() + TIMEOUT_MS
  let seen: T
  do {
    await database`update quarantine set retry_at = now()`
    await turns()
    seen = await look()
  } while (!Bun.deepEquals(seen, expected) && performance.now() < end)
  expect(seen).toEqual(expected)
}

async function quarantined({ database }: World): Promise<string[]> {
  return (await readQuarantine(database, null)).map(({ subject }) => subject)
}

/** Where a step has fewer things, one of them may be left that nothing befalls, or none. */
function struckIn({ scene, things }: Act, plan: Plan, place: number) {
  const struck = new Map<Thing, FaultName>()
  for (const [fault, at] of plan.of(scene, place)) {
    const thing = things[Math.min(at, things.length - 1)]
    if (thing !== undefined && !struck.has(thing)) struck.set(thing, fault)
  }
  return [...struck].map(([thing, fault]) => [fault, thing] as const)
}

/** What has not come to its end, in words that say where it stands. */
async function openOf(world: World, acts: readonly Act[]): Promise<string[]> {
  const open = acts.map(async (act) => {
    const ids = act.things.map(({ id }) => id)
    const ended = new Set(await act.scene.ended(world, ids))
    return wordsOf(
      [act],
      act.things.filter(({ id }) => !ended.has(id)),
    )
  })
  return (await Promise.all(open)).flat()
}

/** All things of these, or those that are named. */
function wordsOf(acts: readonly Act[], named: readonly Thing[] | null = null): string[] {
  return acts.flatMap(({ step, scene, things }) =>
    things.flatMap((thing, i) => {
      if (named !== null && !named.includes(thing)) return []
      return [`${step}: ${scene.name}, ${i + 1} of ${things.length}`]
    }),
  )
}

/** Nothing of what is quarantined is given up. */
async function expectPromised(
  world: World,
  acts: readonly Act[],
  struck: readonly Thing[],
): Promise<void> {
  for (const { step, scene, things } of acts) {
    const promised = await scene.promised?.(world)
    if (promised === undefined) continue
    const given = things.filter((one) => struck.includes(one) && !promised.includes(one.id))
    expect(given.map(({ subject }) => `${step}: ${subject}`)).toEqual([])
  }
}
