import { getAbiItem, type Log, type PublicClient, pad, parseAbi, toEventSelector } from 'viem'
import { type Address, type Hex, lowerCaseAddress } from '../../core/chain/evm.ts'
import { integerWord } from '../../core/chain/words.ts'
import { PERMIT_PROXIES, PERMIT2 } from '../../core/x402/permitContracts.ts'
import { viewAt } from '../blocks/blocks.ts'
import { HUB_ABI } from '../hub/abi.ts'
import { hubEvents } from '../hub/contract.ts'
import { explainRevert } from '../hub/errors.ts'
import { isRefusal } from '../rpc/faults.ts'
import { atView, type View } from '../rpc/view.ts'
import {
  type LogFilter,
  type LogPlace,
  logsOfTransactions,
  logsWithTopics,
  placeOf,
} from '../transactions/logs.ts'
import { addressIn, TRANSFERRED } from './authorizationUse.ts'

/**
 * What became of payments by Permit2. Permit2 logs nothing, and its proxies don't log for what: payments by the
 * hub are known by its own event and the token's transfer before it; `exact` payments, which anyone may submit,
 * by the transfer directly before the proxy's event, and by the block in which the nonce was used.
 */

export const PERMIT_SETTLED = toEventSelector(getAbiItem({ abi: HUB_ABI, name: 'PermitSettled' }))
const PROXY_SETTLED = ['Settled()', 'SettledWithPermit()'].map((event) => toEventSelector(event))
const PERMIT2_ABI = parseAbi(['function nonceBitmap(address, uint256) view returns (uint256)'])

/** A payment by Permit2 that was made. */
export interface PaidPermit {
  readonly token: Address
  readonly payer: Address
  readonly to: Address
  /** In base units. */
  readonly amount: bigint
  /** Of the token's Transfer. */
  readonly logIndex: number
}

/** Those that a hub's logs of one transaction report, with the transfers that it made for them. */
export function settledPermits(
  hub: Address,
  logs: readonly Log[],
): (PaidPermit & { readonly nonce: bigint })[] {
  const transfers = logs.flatMap(transferIn)
  let last = -1
  return hubEvents(hub, logs)
    .toSorted((a, b) => a.logIndex - b.logIndex)
    .flatMap(({ eventName, args, logIndex: end }) => {
      if (eventName !== 'PermitSettled' && eventName !== 'PermitFailed') return []
      const begin = last
      last = end
      if (eventName === 'PermitFailed') return []
      const [token, payer, to] = [args.token, args.from, args.to].map(lowerCaseAddress)
      const { amount, nonce } = args
      const transfer = transfers.findLast(
        (one) =>
          one.logIndex > begin &&
          one.logIndex < end &&
          one.token === token &&
          one.payer === payer &&
          one.to === to &&
          one.amount === amount,
      )
      return transfer === undefined ? [] : [{ ...transfer, nonce }]
    })
}

/** Those that a hub could not carry out, and why. Only to be believed of a transaction of our own. */
export function failedPermits(
  hub: Address,
  logs: readonly Log[],
): { readonly payer: Address; readonly nonce: bigint; readonly error: string }[] {
  return hubEvents(hub, logs).flatMap(({ eventName, args }) => {
    if (eventName !== 'PermitFailed') return []
    const payer = lowerCaseAddress(args.from)
    return [{ payer, nonce: args.nonce, error: explainRevert(args.reason) }]
  })
}

/** The `exact` payments in one transaction that no hub has carried out: the proxy's event follows the transfer. */
export function submittedPermits(hub: Address, logs: readonly Log[]): PaidPermit[] {
  const at = new Map(logs.map((log) => [log.logIndex, log]))
  return logs.flatMap(transferIn).filter(({ logIndex }) => {
    const proxys = at.get(logIndex + 1)
    const isProxys = proxys !== undefined && isBy(proxys, PERMIT_PROXIES.exact, PROXY_SETTLED)
    const hubs = at.get(logIndex + 2)
    return isProxys && !(hubs !== undefined && isBy(hubs, hub, [PERMIT_SETTLED]))
  })
}

function isBy({ address, topics }: Log, contract: Address, events: readonly Hex[]): boolean {
  return address.toLowerCase() === contract && events.includes(topics[0] ?? '0x')
}

function transferIn({ address, topics, data, logIndex }: Log): PaidPermit[] {
  const [event, from, to] = topics
  if (event !== TRANSFERRED || from === undefined || to === undefined) return []
  if (logIndex === null || data.length !== 66) return []
  const [payer, payee] = [addressIn(from), addressIn(to)]
  const token = lowerCaseAddress(address)
  return [{ token, payer, to: payee, amount: BigInt(data), logIndex }]
}

/** A payment that is searched for. */
export interface SoughtPermit extends Omit<PaidPermit, 'logIndex'> {
  readonly hub: Address
  readonly nonce: bigint
  /** Anyone may have carried it out. */
  readonly isExact: boolean
}

export type PermitUse =
  | ({ readonly type: 'paid'; readonly logIndex: number } & LogPlace)
  /** Something else was paid by it, more than one transfer may be it, or no node has the states of its block. */
  | { readonly type: 'unclear'; readonly txHash: Hex }
  /** The node has shown logs, and doesn't show them in their blocks. */
  | { readonly type: 'unknown' }

/** The most transactions of one payer to one payee that are read. */
const CANDIDATES_MAX = 50

/** How a used nonce was used within the blocks, both ends included; null when they don't show it. */
export async function findPermitUse(
  client: PublicClient,
  sought: SoughtPermit,
  fromBlock: bigint,
  toBlock: bigint,
): Promise<PermitUse | null> {
  const { hub, payer, nonce } = sought
  const topics: Hex[] = [PERMIT_SETTLED, pad(payer), `0x${integerWord(nonce)}`]
  const logs = await logsWithTopics(client, hub, topics, fromBlock, toBlock)
  const shown = await shownAt(client, logs, sought)
  if (shown === null) return { type: 'unknown' }
  for (const { txHash, block, blockHash, logs } of shown) {
    const ours = hubEvents(hub, logs).some(
      ({ eventName, args }) =>
        eventName === 'PermitSettled' &&
        args.nonce === nonce &&
        lowerCaseAddress(args.from) === payer &&
        lowerCaseAddress(args.token) === sought.token,
    )
    if (!ours) continue
    const paid = settledPermits(hub, logs).find((one) => one.nonce === nonce && isSame(one, sought))
    if (paid === undefined) return { type: 'unclear', txHash }
    return { type: 'paid', logIndex: paid.logIndex, txHash, block, blockHash }
  }
  return sought.isExact ? findSubmitted(client, sought, fromBlock, toBlock) : null
}

async function findSubmitted(
  client: PublicClient,
  sought: SoughtPermit,
  fromBlock: bigint,
  toBlock: bigint,
): Promise<PermitUse | null> {
  const { hub, token, payer, to, amount } = sought
  const topics: Hex[] = [TRANSFERRED, pad(payer), pad(to)]
  const all = await logsWithTopics(client, token, topics, fromBlock, toBlock)
  const alike = all.filter(({ data }) => data.length === 66 && BigInt(data) === amount)
  const [first] = alike
  if (first === undefined) return null
  if (alike.length > CANDIDATES_MAX) return { type: 'unclear', txHash: placeOf(first).txHash }
  const found: Extract<PermitUse, { type: 'paid' }>[] = []
  const shown = await shownAt(client, alike, sought)
  if (shown === null) return { type: 'unknown' }
  for (const { txHash, block, blockHash, logs } of shown) {
    const paid = submittedPermits(hub, logs).filter((one) => isSame(one, sought))
    if (paid.length === 0) continue
    const wasUsed = await wasUsedIn(client, sought, { number: block, hash: blockHash })
    if (wasUsed === null) return { type: 'unclear', txHash }
    if (!wasUsed) continue
    for (const { logIndex } of paid)
      found.push({ type: 'paid', logIndex, txHash, block, blockHash })
  }
  const [one, other] = found
  return one !== undefined && other !== undefined
    ? { type: 'unclear', txHash: one.txHash }
    : (one ?? null)
}

function isSame(one: PaidPermit, { token, payer, to, amount }: SoughtPermit): boolean {
  return one.token === token && one.payer === payer && one.to === to && one.amount === amount
}

/** What the transactions of these logs show of permits; null unless the node shows these logs there again. */
async function shownAt(
  client: PublicClient,
  logs: readonly Log[],
  { hub, token, payer }: Pick<SoughtPermit, 'hub' | 'token' | 'payer'>,
): Promise<(LogPlace & { readonly logs: readonly Log[] })[] | null> {
  const places = new Map(logs.map(placeOf).map((place) => [place.txHash, place]))
  const shown = await logsOfTransactions(
    client,
    [...places.values()],
    permitLogs(hub, token, [payer]),
  )
  const again = new Set(shown.flatMap(({ logs }) => logs.map(keyOf)))
  return logs.every((log) => again.has(keyOf(log))) ? shown : null
}

function keyOf({ transactionHash, logIndex }: Log): string {
  return `${transactionHash} ${logIndex}`
}

/** The logs by which payments of these payers are known: the hub's, the proxy's, and their transfers. */
export function permitLogs(
  hub: Address,
  token: Address,
  payers: readonly Address[],
): readonly LogFilter[] {
  const from = payers.map((payer) => pad(payer))
  return [{ address: [hub, PERMIT_PROXIES.exact] }, { address: token, topics: [TRANSFERRED, from] }]
}

/** Whether the nonce was used by the end of a block, and not before it; null when its states are gone. */
async function wasUsedIn(
  client: PublicClient,
  { payer, nonce }: SoughtPermit,
  block: View,
): Promise<boolean | null> {
  const before = await viewAt(client, block.number - 1n)
  try {
    const [was, is] = await Promise.all([
      isNonceUsed(client, payer, nonce, before),
      isNonceUsed(client, payer, nonce, block),
    ])
    return is && !was
  } catch (error) {
    if (isRefusal(error)) return null
    throw error
  }
}

/** Whether Permit2 has seen a nonce of a payer, as of a block. */
export async function isNonceUsed(
  client: PublicClient,
  payer: Address,
  nonce: bigint,
  view: View,
): Promise<boolean> {
  const bitmap = await client.readContract({
    ...{ address: PERMIT2, abi: PERMIT2_ABI, functionName: 'nonceBitmap' },
    args: [payer, nonce >> 8n],
    ...atView(view),
  })
  return ((bitmap >> (nonce & 0xffn)) & 1n) === 1n
}
