import { privateKeyToAddress } from 'viem/accounts'
import { readHead } from '../../chain/blocks/blocks.ts'
import { sendAndWait, type UnsignedCall } from '../../chain/hub/deployment.ts'
import { proposalId, proposalReadyAt, proposeCall } from '../../chain/hub/proposals.ts'
import type { OwnerCall } from '../../chain/hub/setup.ts'
import { type Address, type Hex, lowerCaseAddress } from '../../core/chain/evm.ts'
import { PROPOSAL_LIFETIME_S } from '../../core/hub/state.ts'
import type { CommandInput } from '../terminal/command.ts'
import type { HubSite } from './settings.ts'

/** Executes the owner's calls: sent if the owner's key is configured, otherwise returned for a multisig. */

export interface Step {
  readonly what: string
  readonly state: StepState
  /** The transaction that executed or proposed the call. */
  readonly transaction: Hex | null
  /** The call that the owner must send. */
  readonly call: UnsignedCall | null
  /** When a proposed call can be executed. */
  readonly readyAt: Date | null
}

/** `to_propose` and `to_send` require the owner's signature. */
export type StepState = 'done' | 'proposed' | 'waits' | 'to_propose' | 'to_send'

/** The hub's owner and the delay of calls that add power, in seconds. */
interface Ownership {
  readonly hub: Address
  readonly owner: Address
  readonly delay: number
}

/** Executes the calls in order, as far as the owner's key allows, and returns the remaining ones. */
export async function carryOut(
  site: Pick<HubSite, 'config' | 'query'>,
  ownership: Ownership,
  calls: readonly OwnerCall[],
  { say }: Pick<CommandInput, 'say'>,
): Promise<Step[]> {
  const { ownerKey } = site.config
  const isOwner =
    ownerKey !== null && lowerCaseAddress(privateKeyToAddress(ownerKey)) === ownership.owner
  const steps: Step[] = []
  for (const call of calls) {
    const next = await nextOf(site, ownership, call)
    const { what } = call
    if (next.call === null) {
      steps.push({ what, transaction: null, ...next })
    } else if (isOwner) {
      const { state, call: unsigned, readyAt } = next
      say(`${what}${state === 'proposed' ? ' (proposed)' : ''} …`)
      const transaction = await site.query(({ rpc }) => sendAndWait(rpc, ownerKey, unsigned))
      steps.push({ what, state, transaction, call: null, readyAt })
    } else {
      const state = next.state === 'proposed' ? 'to_propose' : 'to_send'
      steps.push({ what, state, transaction: null, call: next.call, readyAt: null })
    }
  }
  return steps
}

/** The next call and its state; no call while a delay is running. */
type Next =
  | {
      readonly state: 'done' | 'proposed'
      readonly call: UnsignedCall
      readonly readyAt: Date | null
    }
  | { readonly state: 'waits'; readonly call: null; readonly readyAt: Date }

async function nextOf(
  { query }: Pick<HubSite, 'query'>,
  { hub, delay }: Ownership,
  { to, data, isDelayed }: OwnerCall,
): Promise<Next> {
  const send = { state: 'done', call: { to, data }, readyAt: null } as const
  if (delay === 0 || !isDelayed) return send
  const [readyAt, head] = await query(({ rpc }) =>
    Promise.all([proposalReadyAt(rpc, hub, proposalId(data)), readHead(rpc)]),
  )
  const now = BigInt(Math.floor(head.time.getTime() / 1000))
  const isDead = readyAt === 0n || now > readyAt + PROPOSAL_LIFETIME_S
  if (isDead) {
    const ripe = dateOf(now + BigInt(delay))
    return { state: 'proposed', call: proposeCall(hub, data), readyAt: ripe }
  }
  return now >= readyAt ? send : { state: 'waits', call: null, readyAt: dateOf(readyAt) }
}

function dateOf(seconds: bigint): Date {
  return new Date(Number(seconds) * 1000)
}

/** A step as text, for tables. */
export function stepText({ state, transaction, call, readyAt }: Step): string {
  const when = readyAt?.toISOString() ?? ''
  const again = `repeat this command after ${when}`
  switch (state) {
    case 'done':
      return `done by ${transaction}`
    case 'proposed':
      return `proposed by ${transaction}: ${again}`
    case 'waits':
      return `was proposed: ${again}`
    case 'to_propose':
      return `the owner must propose it, by sending ${call?.to} the data ${call?.data}, and repeat this command`
    case 'to_send':
      return `the owner must send ${call?.to} the data ${call?.data}`
  }
}
