import { type Log, type PublicClient, pad, toEventSelector } from 'viem'
import { type Address, type Hex, hashFrom, lowerCaseAddress } from '../../core/chain/evm.ts'
import { hubEvents } from '../hub/contract.ts'
import { explainRevert, isPayerWithCode } from '../hub/errors.ts'
import { rpcErrorIn } from '../rpc/faults.ts'
import {
  type LogFilter,
  type LogPlace,
  logsInBlock,
  logsOfTransactions,
  placeOf,
} from '../transactions/logs.ts'

/**
 * What became of EIP-3009 authorizations, by the token's own logs. A payment is AuthorizationUsed
 * and, as the very next log of the same transaction, the payer's Transfer: only this pair shows which
 * money moved by which authorization. A payer could otherwise use one up by paying itself, pay by
 * another in the same transaction, and claim both.
 */

export const AUTHORIZATION_USED = toEventSelector('AuthorizationUsed(address,bytes32)')
const CANCELLED = toEventSelector('AuthorizationCanceled(address,bytes32)')
export const TRANSFERRED = toEventSelector('Transfer(address,address,uint256)')

/** An authorization that moved money. */
export interface PaidAuthorization {
  readonly payer: Address
  readonly nonce: Hex
  readonly to: Address
  /** In base units. */
  readonly value: bigint
  /** Of the Transfer. */
  readonly logIndex: number
}

/**
 * The payments among one receipt's logs, in the order in which they happened. Logs are found by
 * their index, because nodes promise nothing about the order in which they list them.
 */
export function paidAuthorizations(token: Address, logs: readonly Log[]): PaidAuthorization[] {
  const byIndex = new Map<number, Log>()
  for (const log of logs) {
    if (log.logIndex !== null && log.address.toLowerCase() === token) byIndex.set(log.logIndex, log)
  }
  const paid: PaidAuthorization[] = []
  for (const [index, { topics }] of byIndex) {
    const [event, payerTopic, nonce] = topics
    if (event !== AUTHORIZATION_USED || payerTopic === undefined || nonce === undefined) continue
    const transfer = byIndex.get(index + 1)
    const [next, from, to] = transfer?.topics ?? []
    if (transfer === undefined || next !== TRANSFERRED || to === undefined) continue
    if (from?.toLowerCase() !== payerTopic.toLowerCase()) continue
    paid.push({
      payer: addressIn(payerTopic),
      nonce: hashFrom(nonce.toLowerCase()),
      to: addressIn(to),
      value: BigInt(transfer.data),
      logIndex: index + 1,
    })
  }
  return paid.sort((a, b) => a.logIndex - b.logIndex)
}

/**
 * The payments of a payer in one block, with their transactions. Null when the node has no such block, or
 * doesn't answer.
 */
export async function paidInBlock(
  client: PublicClient,
  token: Address,
  payer: Address,
  blockHash: Hex,
): Promise<(PaidAuthorization & { readonly txHash: Hex | null })[] | null> {
  try {
    const logs = await logsInBlock(client, paymentsBy(token, [payer]), blockHash)
    return paidAuthorizations(token, logs).map((paid) => {
      const log = logs.find(({ logIndex }) => logIndex === paid.logIndex)
      return { ...paid, txHash: log?.transactionHash ?? null }
    })
  } catch (error) {
    if (rpcErrorIn(error) === null) throw error
    return null
  }
}

/** What a token logs when these payers pay, by authorizations or otherwise. */
export function paymentsBy(
  token: Address | readonly Address[],
  payers: readonly Address[],
): LogFilter {
  const topics = [[AUTHORIZATION_USED, TRANSFERRED], payers.map((payer) => pad(payer))]
  return { address: token, topics }
}

/** An authorization that the token refused within a batch, and why, as text. */
export interface RefusedAuthorization {
  readonly payer: Address
  readonly nonce: Hex
  readonly error: string
  /** The hub made no call, because the payer has code. */
  readonly hasCode: boolean
}

/**
 * The items that the hub reports as failed. Only to be believed of a transaction of our own: anyone
 * can make the hub report the failure of a good authorization, for example with a false signature.
 */
export function refusedAuthorizations(hub: Address, logs: readonly Log[]): RefusedAuthorization[] {
  return hubEvents(hub, logs).flatMap((event) => {
    if (event.eventName !== 'AuthorizationFailed') return []
    const { from, nonce, reason } = event.args
    const payer = lowerCaseAddress(from)
    return [
      {
        payer,
        nonce: hashFrom(nonce.toLowerCase()),
        error: explainRevert(reason),
        hasCode: isPayerWithCode(reason, payer),
      },
    ]
  })
}

/** How an authorization was used up. */
export type AuthorizationUse =
  /** Money moved to `to`; `value` in base units, `logIndex` of the Transfer. */
  | ({
      readonly type: 'paid'
      readonly to: Address
      readonly value: bigint
      readonly logIndex: number
    } & LogPlace)
  | ({ readonly type: 'cancelled' } & LogPlace)
  /** Used up, and the token's next log doesn't show for what. */
  | ({ readonly type: 'used' } & LogPlace)

/** Of what a token logs when an authorization is used up, which happens once at most. */
export function useTopics(payer: Address, nonce: Hex): (Hex | Hex[])[] {
  return [[AUTHORIZATION_USED, CANCELLED], pad(payer), nonce]
}

/** The use that such a log reports; null when it was reorganised meanwhile. */
export async function useIn(
  client: PublicClient,
  token: Address,
  authorization: { readonly payer: Address; readonly nonce: Hex },
  log: Log,
): Promise<AuthorizationUse | null> {
  const place = placeOf(log)
  if (log.topics[0] === CANCELLED) return { type: 'cancelled', ...place }
  return howUsed(client, token, authorization, place)
}

/** Finds the log after AuthorizationUsed; null when the block doesn't show that, or isn't there any more. */
async function howUsed(
  client: PublicClient,
  token: Address,
  { payer, nonce }: { readonly payer: Address; readonly nonce: Hex },
  place: LogPlace,
): Promise<AuthorizationUse | null> {
  const [shown] = await logsOfTransactions(client, [place], [paymentsBy(token, [payer])])
  const isUse = ({ topics: [event, , used] }: Log) =>
    event === AUTHORIZATION_USED && used?.toLowerCase() === nonce
  if (shown === undefined || !shown.logs.some(isUse)) return null
  const paid = paidAuthorizations(token, shown.logs).find(
    (payment) => payment.payer === payer && payment.nonce === nonce,
  )
  if (paid === undefined) return { type: 'used', ...place }
  const { to, value, logIndex } = paid
  return { type: 'paid', to, value, logIndex, ...place }
}

/** The address in the low 20 bytes of a topic. */
export function addressIn(topic: Hex): Address {
  return lowerCaseAddress(`0x${topic.slice(-40)}`)
}
