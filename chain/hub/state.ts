import type { PublicClient } from 'viem'
import type { MerchantId } from '../../core/base/ids.ts'
import { baseUnits } from '../../core/base/money.ts'
import { type Address, type Hex, lowerCaseAddress } from '../../core/chain/evm.ts'
import { uuidToBytes16 } from '../../core/chain/words.ts'
import type { HubState, HubToken, MerchantChange } from '../../core/hub/state.ts'
import { rpcErrorIn } from '../rpc/faults.ts'
import type { View } from '../rpc/view.ts'
import { HUB_ABI } from './abi.ts'
import { isRevert } from './contract.ts'
import { UNLIMITED } from './setup.ts'

/** A hub's state after one block, in as few calls as possible. */

/** What is read besides the roles. */
export interface HubQuestion {
  readonly tokens: readonly Address[]
  /** Proposals in the hub's events, by their ids. */
  readonly proposals: readonly Hex[]
  /** Merchants with changes in the hub's events. */
  readonly merchants: readonly MerchantId[]
}

export interface HubAnswer {
  readonly state: HubState
  readonly tokens: readonly HubToken[]
  /** From when on each proposal can be carried out; those that there are no longer are missing. */
  readonly proposals: ReadonlyMap<Hex, Date>
  /** Changes that wait, and those that a veto ended as long as no newer entry is active. */
  readonly changes: readonly MerchantChange[]
}

/** More bytes than any question has: they go out as one call. */
const CALL_BYTES = 1_000_000

/**
 * Reads a hub after the view's block. Null when it is no hub of this version. Throws a fault of the node,
 * isUnknownBlock among them.
 */
export async function readHubAt(
  client: PublicClient,
  hub: Address,
  question: HubQuestion,
  view: View,
): Promise<HubAnswer | null> {
  const source: Source = { client, hub, at: { ...TOGETHER, blockHash: view.hash } }
  try {
    const [roles, tokens, proposals, changes] = await Promise.all([
      readRoles(source),
      readTokens(source, question.tokens),
      readProposals(source, question.proposals),
      readChanges(source, question.merchants),
    ])
    return { state: { block: view.number, ...roles }, tokens, proposals, changes }
  } catch (error) {
    // Each call is tried alone within the node's one: an error of the node is no answer of the contract.
    if (isRevert(error) && rpcErrorIn(error) === null) return null
    throw error
  }
}

const TOGETHER = { deployless: true, allowFailure: false, batchSize: CALL_BYTES } as const

interface Source {
  readonly client: PublicClient
  readonly hub: Address
  readonly at: typeof TOGETHER & { readonly blockHash: Hex }
}

async function readRoles({ client, hub, at }: Source): Promise<Omit<HubState, 'block'>> {
  const read = { address: hub, abi: HUB_ABI } as const
  const [
    stops,
    owner,
    pendingOwner,
    guardian,
    configSigner,
    refundSigner,
    feeCollector,
    ...delays
  ] = await client.multicall({
    ...at,
    contracts: [
      { ...read, functionName: 'stops' },
      { ...read, functionName: 'owner' },
      { ...read, functionName: 'pendingOwner' },
      { ...read, functionName: 'guardian' },
      { ...read, functionName: 'configSigner' },
      { ...read, functionName: 'refundSigner' },
      { ...read, functionName: 'feeCollector' },
      { ...read, functionName: 'ownerDelay' },
      { ...read, functionName: 'configDelay' },
    ],
  })
  const [ownerDelay, configDelay] = delays
  return {
    stops,
    owner: lowerCaseAddress(owner),
    pendingOwner: lowerCaseAddress(pendingOwner),
    guardian: lowerCaseAddress(guardian),
    configSigner: lowerCaseAddress(configSigner),
    refundSigner: lowerCaseAddress(refundSigner),
    feeCollector: lowerCaseAddress(feeCollector),
    ownerDelay: BigInt(ownerDelay),
    configDelay: BigInt(configDelay),
  }
}

async function readTokens(
  { client, hub, at }: Source,
  tokens: readonly Address[],
): Promise<HubToken[]> {
  if (tokens.length === 0) return []
  const read = { address: hub, abi: HUB_ABI } as const
  const answers = await client.multicall({
    ...at,
    contracts: tokens.flatMap((token) => [
      { ...read, functionName: 'tokens' as const, args: [token] as const },
      { ...read, functionName: 'refundRoom' as const, args: [token] as const },
    ]),
  })
  return tokens.map((token, i) => {
    const [isListed, , limit] = wordsOf(answers[2 * i])
    const refundLimit = integerOf(limit)
    const isUnlimited = refundLimit === UNLIMITED
    return {
      token,
      isListed: isListed === true,
      refundLimit: isUnlimited ? null : baseUnits(refundLimit),
      refundRoom: isUnlimited ? null : baseUnits(integerOf(answers[2 * i + 1])),
    }
  })
}

async function readProposals(
  { client, hub, at }: Source,
  ids: readonly Hex[],
): Promise<Map<Hex, Date>> {
  if (ids.length === 0) return new Map()
  const read = { address: hub, abi: HUB_ABI, functionName: 'readyAt' } as const
  const answers = await client.multicall({
    ...at,
    contracts: ids.map((id) => ({ ...read, args: [id] as const })),
  })
  const times = ids.map((id, i) => [id, integerOf(answers[i])] as const)
  return new Map(times.flatMap(([id, time]) => (time === 0n ? [] : [[id, dateOf(time)]])))
}

async function readChanges(
  { client, hub, at }: Source,
  merchants: readonly MerchantId[],
): Promise<MerchantChange[]> {
  if (merchants.length === 0) return []
  const read = { address: hub, abi: HUB_ABI } as const
  const answers = await client.multicall({
    ...at,
    contracts: merchants.flatMap((id) => {
      const args = [uuidToBytes16(id)] as const
      return [
        { ...read, functionName: 'pendingChanges' as const, args },
        { ...read, functionName: 'merchants' as const, args },
      ]
    }),
  })
  return merchants.flatMap((merchantId, i) => {
    const [treasury, , , version, readyAt] = wordsOf(answers[2 * i])
    const [, , , current] = wordsOf(answers[2 * i + 1])
    // Once a newer entry is active, a vetoed change is history.
    if (integerOf(version) <= integerOf(current)) return []
    const time = integerOf(readyAt)
    return [
      {
        merchantId,
        treasury: lowerCaseAddress(String(treasury)),
        version: Number(version),
        readyAt: time === 0n ? null : dateOf(time),
      },
    ]
  })
}

/** viem decodes by the ABI, and forgets the types of lists. */
function wordsOf(answer: unknown): readonly unknown[] {
  if (Array.isArray(answer)) return answer
  throw new TypeError('the hub did not answer with several values')
}

function integerOf(answer: unknown): bigint {
  if (typeof answer === 'bigint' || typeof answer === 'number') return BigInt(answer)
  throw new TypeError('the hub did not answer with a number')
}

function dateOf(seconds: bigint): Date {
  return new Date(Number(seconds) * 1000)
}
