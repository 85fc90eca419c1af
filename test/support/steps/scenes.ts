import { transfersTo } from '../../../chain/tokens/transfers.ts'
import type { Address, Hex } from '../../../core/chain/evm.ts'
import type { Invoice, Payment } from '../../../core/invoice/state.ts'
import type { Database } from '../../../store/database/database.ts'
import type { LedgerRig } from '../invoice/ledger.ts'
import type { HubChain } from '../servers/chain.ts'
import { type FaultName, type Named, NODE_FAULTS } from './faults.ts'

/** What the scenes of steps are made of: some things for each step, and how each is known and ends. */

/** So many things has each step: two of them may be struck, and others are left. */
export const THINGS = 4

export interface World {
  readonly chain: HubChain
  readonly database: Database
  readonly rig: LedgerRig
  /** A block of the chain that is confirmed, and known to the ledger. */
  readonly block: { readonly number: bigint; readonly hash: Hex }
}

export interface Thing extends Named {
  readonly id: string
  /** As the quarantine names it. */
  readonly subject: string
  /** As further steps that the same fault reaches quarantine it. */
  readonly besides?: readonly string[]
}

export interface Scene {
  readonly name: string
  /** The classes of faults that can't reach what the step works on, and why not. */
  readonly unreached: Unreached
  seed(world: World): Promise<readonly Thing[]>
  /** The ids of those of these that have come to their end; others' may be among them. */
  ended(world: World, ids: readonly string[]): Promise<readonly string[]>
  /** The ids of those whose money, or whose claim, is still promised; absent where the step has neither. */
  promised?(world: World): Promise<readonly string[]>
}

export type Unreached = Partial<Readonly<Record<FaultName, string>>>

/** For steps that no fault of the node can reach. */
export function noNodeFault(why: string): Unreached {
  return Object.fromEntries(NODE_FAULTS.map((fault) => [fault, why]))
}

export const ROWS_ONLY = noNodeFault('it works on rows, and asks no node about single things')

/** Makes the things of a scene one after the other. */
export async function several<T>(make: (i: number) => Promise<T>): Promise<T[]> {
  const made: T[] = []
  for (let i = 0; i < THINGS; i += 1) made.push(await make(i))
  return made
}

/** How long work may take to come to a state, in ms, on a machine that does much else. */
export const TIMEOUT_MS = 100_000

/** Works until a state is reached. How many turns that takes depends on what else the machine does. */
export async function workUntil(
  state: string,
  isReached: () => Promise<boolean>,
  work: () => Promise<unknown>,
): Promise<void> {
  const end = performance.now() + TIMEOUT_MS
  while (!(await isReached())) {
    if (performance.now() > end) throw new Error(`this state was not reached: ${state}`)
    await work()
  }
}

/** An address or a hash as calldata and topics have it. */
export function bare(word: string): string {
  return word.replace(/^0x/, '').replaceAll('-', '').toLowerCase()
}

export function invoices({ rig }: World, change: Partial<Invoice> = {}): Promise<Invoice[]> {
  return several(() => rig.invoice(change))
}

/** As things of a step that works on invoices. */
export function invoiceThings(of: readonly Invoice[], callsOf = noCalls): Thing[] {
  return of.map((invoice) => {
    return { id: invoice.id, calls: callsOf(invoice), rows: [invoice.id], subject: invoice.id }
  })
}

const noCalls = (_: Invoice): string[] => []

/** Where a payment of the scenes was made, unless they say otherwise: its block is the chain's. */
export function placeOf({ chain, block }: World): Partial<Payment> {
  return {
    networkId: chain.networkId,
    token: chain.usdc.address,
    blockNumber: block.number,
    blockHash: block.hash,
  }
}

/** Pays each of these deposits, and answers what the chain logs of that. */
export async function payEach(
  { chain }: World,
  deposits: readonly Address[],
  amount = 10_000_000n,
) {
  await chain.mint(deposits.map((to) => ({ to, amount })))
  const { number } = await chain.client.getBlock()
  return transfersTo(chain.client, [chain.usdc.address], deposits, number, number)
}
