import { sendAndWait, type UnsignedCall } from '../../chain/hub/deployment.ts'
import { refusalOf } from '../../chain/hub/trial.ts'
import { type Address, checksumAddress, ZERO_ADDRESS } from '../../core/chain/evm.ts'
import { CommandError, type CommandInput, type CommandOutcome } from '../terminal/command.ts'
import { columns } from '../terminal/output.ts'
import { refusalSentence } from './refusals.ts'
import type { PowerSite } from './site.ts'

/**
 * Carrying out what owner or guardian want: sent where the key is at hand, else shown as a multisig has to
 * sign it. What the hub would refuse is never sent or shown.
 */

export interface Holder {
  readonly role: 'owner' | 'guardian' | 'new owner'
  readonly account: Address
}

export interface Act {
  /** Who may do it; of several, the first whose key is at hand, or else the first. */
  readonly holders: readonly Holder[]
  readonly call: UnsignedCall
  /** What the call does, in words. */
  readonly words: string
  /** What has to be known besides, e.g. from when on a proposal can be carried out. */
  readonly notes?: readonly (readonly [name: string, text: string])[]
}

/** @throws CommandError with what the hub would refuse, and what to do. */
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
  const refusal = await site.ask(() => refusalOf(rpc, from, call))
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
    const transaction = await site.ask(() => sendAndWait(rpc, key, call))
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
      `Nothing was sent, because the ${role}'s key is not here. The ${role} has to sign exactly this:`,
      columns(Object.entries(signed).map(([name, value]) => [`  ${name}`, value])),
    ].join('\n'),
  }
}

function named(notes: NonNullable<Act['notes']>): Record<string, string> {
  return Object.fromEntries(notes)
}

/** The owner alone. */
export function ownerOf({ roles }: PowerSite): readonly Holder[] {
  return [{ role: 'owner', account: roles.owner }]
}

/** The guardian, or the owner, who may do all that the guardian may. */
export function guardsOf(site: PowerSite): readonly Holder[] {
  return [{ role: 'guardian', account: site.roles.guardian }, ...ownerOf(site)]
}
