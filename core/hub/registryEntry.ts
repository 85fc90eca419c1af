import type { Address } from '../chain/evm.ts'

/**
 * What becomes of a merchant's registry entry on one chain. A hub that already has an entry takes another
 * treasury only after a delay, in which the guardian can veto it; the same signed entry is then sent again.
 */

/** How far a signed version may be ahead of the newest that a hub knows: one signature is good for all chains. */
export const VERSIONS_AHEAD_MAX = 1_000
/** The highest version that can be signed: those above are for the hub's owner alone. */
export const SIGNED_VERSION_MAX = 2 ** 30 - 1

/** A merchant's payout address, and its registry entry. */
export interface Entry {
  readonly treasury: Address
  readonly version: number
}

/** All that is signed of an entry, but for the merchant. */
export interface EntryTerms extends Entry {
  readonly feeBps: number
  /** The most that one distribution may charge, in millionths of a whole token. */
  readonly feeCap: bigint
}

/** When a change may be activated, in Unix seconds of chain time; null once it was vetoed. */
interface Ripening {
  readonly readyAt: bigint | null
}

/** A merchant's state in a hub's registry. */
export interface RegistryState<E extends Entry = Entry> {
  /** The active entry; null while there is none. */
  readonly entry: E | null
  /** The newest change that waits, or that was vetoed. A version that was named by one is used up. */
  readonly change: (E & Ripening) | null
}

/** What is to be done for an entry that is wanted. */
export type EntryStep =
  /** The hub pays by it. */
  | { readonly type: 'in_force' }
  /** Its change waits; once it is ready it is sent again, in this version. */
  | { readonly type: 'pends'; readonly version: number; readonly readyAt: bigint }
  /** It is to be sent, in this version: lower than the one wanted where the chain has missed many. */
  | { readonly type: 'send'; readonly version: number }
  /** Vetoed by the guardian or owner: this version is burnt. */
  | { readonly type: 'vetoed'; readonly version: number }
  /** A newer entry, or change, than this one is there. */
  | { readonly type: 'superseded'; readonly version: number }
  /** Every version that can be signed is used up: it waits for the owner to write this one. */
  | { readonly type: 'exhausted'; readonly version: number }

/** What a hub in this state needs so that this entry becomes active. */
export function nextStep(
  wanted: EntryTerms,
  { entry, change }: RegistryState<EntryTerms>,
): EntryStep {
  const current = entry?.version ?? 0
  if (isSame(entry, wanted)) return { type: 'in_force' }
  if (current >= wanted.version) return { type: 'superseded', version: current }
  if (change !== null && change.version >= wanted.version) {
    const { version, readyAt } = change
    if (readyAt === null) return { type: 'vetoed', version }
    return isSame(change, wanted)
      ? { type: 'pends', version, readyAt }
      : { type: 'superseded', version }
  }
  const newest = change?.version ?? current
  if (newest >= SIGNED_VERSION_MAX) return { type: 'exhausted', version: wanted.version }
  const next = Math.min(newest + VERSIONS_AHEAD_MAX, SIGNED_VERSION_MAX)
  return { type: 'send', version: Math.min(wanted.version, next) }
}

function isSame(one: EntryTerms | null, other: EntryTerms): boolean {
  return (
    one?.version === other.version &&
    one.treasury === other.treasury &&
    one.feeBps === other.feeBps &&
    one.feeCap === other.feeCap
  )
}

/** Why an entry that a hub does not take any more has ended, and what to do, in a sentence. */
export function explainEnd(step: EntryStep): string | null {
  switch (step.type) {
    case 'vetoed':
      return `the change was vetoed and version ${step.version} is burnt: the previous treasury remains active; set the recipient again to request a newer version`
    case 'superseded':
      return `the hub knows version ${step.version} of this merchant's entry, which supersedes it`
    case 'in_force':
    case 'pends':
    case 'send':
    case 'exhausted':
      return null
  }
}
