import { sendAndWait, type UnsignedCall } from '../../chain/hub/deployment.ts'
import { refusalOf } from '../../chain/hub/trial.ts'
import { type Address, checksumAddress, ZERO_ADDRESS } from '../../core/chain/evm.ts'
import { CommandError, type CommandInput, type CommandOutcome } from '../terminal/command.ts'
import { columns } from '../terminal/output.ts'
import { refusalSentence } from './refusals.ts'
import type { PowerSite } from './site.ts'

/**
 * Executes calls of owner or guardian: sent if the key is configured, otherwise printed for a multisig to
 * sign. Calls that the hub would refuse are neither sent nor printed.
 */

export interface Holder {
  readonly role: 'owner' | 'guardian' | 'new owner'
  readonly account: Address
}

export interface Act {
  /** The roles that may call it; the first with a configured key is used, or else the first. */
  readonly holders: readonly Holder[]
  readonly call: UnsignedCall
  /** A description of the call. */
  readonly words: string
  /** Additional information, e.g. when a proposal can be executed. */
  readonly notes?: readonly (readonly [name: string, text: string])[]
}

/** @throws CommandError with the hub's refusal, and what to do. */
export async function carry(
  site: PowerSite,
  { holders, call, words, notes = [] }: Act,
  { say }: Pick<CommandInput, 'say'>,
): Promise<CommandOutcome> {
  const appointed = holders.filter(({ account }) => account !== ZERO_ADDRESS)
  const holder = appointed.find(({ account }) => site.keyOf(account) !== null) ?? appointed[0]
  if (holder === undefined) throw new CommandError([`the hub has no ${holders[0]?.role}`])
  const { account: from, role } = holder
  const key = site.keyOf(from)
  const { rpc, chain } = site.client
  const refusal = await site.query(() => refusalOf(rpc, from, call))
  if (refusal !== null) throw new CommandError([refusalSentence(refusal, site)])
  const { networkId, chainId } = chain
  const { to, data } = call
  const common = { networkId, chainId, hub: checksumAddress(site.hub), does: words }
  const head = [
    ['hub', `${checksumAddress(site.hub)} on ${networkId} (${chainId})`],
    ['does', words],
    ...notes,
  ]
  if (key !== null) {
    say(`${words} …`)
    const transaction = await site.query(() => sendAndWait(rpc, key, call))
    return {
      json: { ...common, sent: true, transaction, from: checksumAddress(from), ...named(notes) },
      text: columns([...head, ['sent', transaction]]),
    }
  }
  const signed = { from: checksumAddress(from), to: checksumAddress(to), value: '0', data }
  return {
    json: { ...common, sent: false, transaction: null, sign: signed, ...named(notes) },
    text: [
      columns(head),
      `Nothing was sent, because the ${role}'s key is not configured. The ${role} has to sign exactly this:`,
      columns(Object.entries(signed).map(([name, value]) => [`  ${name}`, value])),
    ].join('\n'),
  }
}

function named(notes: NonNullable<Act['notes']>): Record<string, string> {
  return Object.fromEntries(notes)
}

/** Only the owner. */
export function ownerOf({ roles }: PowerSite): readonly Holder[] {
  return [{ role: 'owner', account: roles.owner }]
}

/** The guardian, or the owner, who has all permissions of the guardian. */
export function guardsOf(site: PowerSite): readonly Holder[] {
  return [{ role: 'guardian', account: site.roles.guardian }, ...ownerOf(site)]
}
