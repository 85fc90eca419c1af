import { encodeFunctionData, type PublicClient } from 'viem'
import { formatAmount, type TokenDecimals } from '../../core/base/money.ts'
import { type Address, type Hex, ZERO_ADDRESS } from '../../core/chain/evm.ts'
import { HUB_ABI } from './abi.ts'
import type { HubRoles } from './contract.ts'
import type { UnsignedCall } from './deployment.ts'

/**
 * Setting a hub up: who signs, who sweeps, which tokens are listed with what limits, and last the delays
 * with which the owner adds power from then on.
 */

/** What a hub is to be set up with. */
export interface HubSetup extends Pick<HubRoles, 'configSigner' | 'refundSigner' | 'feeCollector'> {
  /** Who may stop and veto; null appoints no one. */
  readonly guardian: Address | null
  readonly operators: readonly Address[]
  readonly tokens: readonly HubToken[]
  readonly delays: HubDelays
}

export interface HubToken {
  readonly symbol: string
  readonly address: Address
  readonly decimals: TokenDecimals
  /** Whether it is swept and distributed. Native coin, at the zero address, is only refunded. */
  readonly isListed: boolean
  /** A hub that was set up before may do without it. */
  readonly isOptional?: boolean
  /** The most that is refunded in 24 hours, in base units; UNLIMITED for no limit. */
  readonly refundLimit: bigint
}

/** In seconds. */
export interface HubDelays {
  /** Before the owner's additions take effect. */
  readonly owner: number
  /** Before a merchant's new treasury takes effect. */
  readonly config: number
}

/** The refund limit that is none. */
export const UNLIMITED = 2n ** 232n - 1n

/** What a hub was set up with, as far as a HubSetup names it. */
export interface HubState {
  /** Unassigned roles are the zero address. */
  readonly roles: Pick<HubRoles, 'configSigner' | 'refundSigner' | 'feeCollector' | 'guardian'>
  readonly operators: ReadonlySet<Address>
  readonly tokens: ReadonlyMap<Address, TokenState>
  readonly delays: HubDelays
}

export interface TokenState {
  readonly listed: boolean
  /** Also known of a token that was taken from the list. */
  readonly decimals: number
  readonly refundLimit: bigint
}

/** A hub directly after its deployment: no role is assigned and nothing is listed. */
export const NEW_HUB: HubState = {
  roles: {
    configSigner: ZERO_ADDRESS,
    refundSigner: ZERO_ADDRESS,
    feeCollector: ZERO_ADDRESS,
    guardian: ZERO_ADDRESS,
  },
  operators: new Set(),
  tokens: new Map(),
  delays: { owner: 0, config: 0 },
}

/** Reads from the hub what a setup names. */
export async function readHubState(
  client: PublicClient,
  hub: Address,
  roles: HubState['roles'],
  setup: Pick<HubSetup, 'operators'> & { readonly tokens: readonly Pick<HubToken, 'address'>[] },
): Promise<HubState> {
  const read = { address: hub, abi: HUB_ABI } as const
  const [operators, tokens, owner, config] = await Promise.all([
    Promise.all(
      setup.operators.map(async (account) => {
        const args = [account] as const
        const isOne = await client.readContract({ ...read, functionName: 'isOperator', args })
        return isOne ? [account] : []
      }),
    ),
    Promise.all(
      setup.tokens.map(async ({ address }) => {
        const args = [address] as const
        const found = await client.readContract({ ...read, functionName: 'tokens', args })
        const [listed, decimals, refundLimit] = found
        return [address, { listed, decimals, refundLimit }] as const
      }),
    ),
    client.readContract({ ...read, functionName: 'ownerDelay' }),
    client.readContract({ ...read, functionName: 'configDelay' }),
  ])
  return {
    roles,
    operators: new Set(operators.flat()),
    tokens: new Map(tokens),
    delays: { owner, config },
  }
}

/** A call of the owner's, and what it does, in words. */
export interface OwnerCall extends UnsignedCall {
  readonly what: string
  /** Whether the hub wants it proposed first, once the owner has a delay. */
  readonly isDelayed: boolean
}

/**
 * The owner's calls that a hub lacks, in the order in which they are to be sent: the delays last, because from
 * then on the others have to wait. Earlier settings are left unchanged.
 */
export function missingCalls(hub: Address, setup: HubSetup, state: HubState): OwnerCall[] {
  const { roles, operators, tokens, delays } = state
  const { configSigner, refundSigner, feeCollector, guardian } = setup
  const calls: OwnerCall[] = []
  const add = (what: string, data: Hex, isDelayed = true) =>
    calls.push({ to: hub, data, what, isDelayed })
  if (roles.configSigner === ZERO_ADDRESS) {
    add(`appoint ${configSigner} to sign registry entries`, setter('setConfigSigner', configSigner))
  }
  if (roles.refundSigner === ZERO_ADDRESS) {
    add(`appoint ${refundSigner} to sign refunds`, setter('setRefundSigner', refundSigner))
  }
  if (roles.feeCollector === ZERO_ADDRESS) {
    add(`have fees go to ${feeCollector}`, setter('setFeeCollector', feeCollector))
  }
  if (roles.guardian === ZERO_ADDRESS && guardian !== null) {
    add(`appoint ${guardian} as guardian`, setter('setGuardian', guardian), false)
  }
  for (const operator of setup.operators) {
    if (operators.has(operator)) continue
    calls.push(operatorCall(hub, operator, true))
  }
  for (const { symbol, address, decimals, isListed, isOptional, refundLimit } of setup.tokens) {
    // Delays come last: a hub that has one was set up, and its owner decides what else it lists.
    if (isOptional && delays.owner > 0) continue
    // What was set is left as the owner meant it: what was taken from the list keeps its decimals.
    if (isKnown(tokens.get(address)) || (!isListed && refundLimit === 0n)) continue
    const args = [address, isListed, decimals, refundLimit] as const
    const data = encodeFunctionData({ abi: HUB_ABI, functionName: 'setToken', args })
    add(isListed ? `list ${symbol} at ${address}` : `let ${symbol} be refunded`, data)
  }
  if (delays.owner === 0 && setup.delays.owner + setup.delays.config > 0) {
    const args = [setup.delays.owner, setup.delays.config] as const
    const data = encodeFunctionData({ abi: HUB_ABI, functionName: 'setDelays', args })
    add(`set delays of ${args[0]} s for the owner and ${args[1]} s for treasuries`, data)
  }
  return calls
}

/** Whether the owner has ever configured a token. */
function isKnown(token: TokenState | undefined): token is TokenState {
  return token !== undefined && (token.listed || token.decimals > 0 || token.refundLimit > 0n)
}

function limitText(limit: bigint, decimals: TokenDecimals): string {
  return limit === UNLIMITED ? 'unlimited' : formatAmount(limit, decimals)
}

/** Lets an account sweep, or no longer. */
export function operatorCall(hub: Address, operator: Address, isAllowed: boolean): OwnerCall {
  const args = [operator, isAllowed] as const
  const data = encodeFunctionData({ abi: HUB_ABI, functionName: 'setOperator', args })
  const what = isAllowed ? `appoint ${operator} as operator` : `dismiss the operator ${operator}`
  return { to: hub, data, what, isDelayed: isAllowed }
}

/** Where a hub was set up otherwise, in sentences. What it lacks is no difference. */
export function setupDifferences(setup: HubSetup, state: HubState): string[] {
  const { roles, tokens, delays } = state
  const differences: string[] = []
  const compare = (name: string, found: string | number | bigint, wanted: typeof found) => {
    if (found !== wanted) differences.push(`the hub's ${name} is ${found}, configured is ${wanted}`)
  }
  const { configSigner, refundSigner, feeCollector, guardian } = setup
  for (const [name, wanted] of Object.entries({ configSigner, refundSigner, feeCollector })) {
    const found = Object.entries(roles).find(([role]) => role === name)?.[1] ?? ZERO_ADDRESS
    if (found !== ZERO_ADDRESS) compare(name, found, wanted)
  }
  if (roles.guardian !== ZERO_ADDRESS) compare('guardian', roles.guardian, guardian ?? ZERO_ADDRESS)
  for (const { symbol, address, decimals, isListed, isOptional, refundLimit } of setup.tokens) {
    const found = tokens.get(address)
    if (found === undefined || !isKnown(found) || (isOptional && !found.listed)) continue
    if (isListed && !found.listed) differences.push(`the hub does not list ${symbol} any more`)
    compare(`decimals of ${symbol}`, found.decimals, decimals)
    const [limit, wanted] = [found.refundLimit, refundLimit].map((one) => limitText(one, decimals))
    compare(`refund limit of ${symbol}`, limit ?? '', wanted ?? '')
  }
  if (delays.owner > 0) {
    compare('delay for its owner, in s,', delays.owner, setup.delays.owner)
    compare('delay for treasuries, in s,', delays.config, setup.delays.config)
  }
  return differences
}

function setter(
  functionName: 'setConfigSigner' | 'setRefundSigner' | 'setFeeCollector' | 'setGuardian',
  account: Address,
): Hex {
  return encodeFunctionData({ abi: HUB_ABI, functionName, args: [account] })
}
