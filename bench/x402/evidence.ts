import { toEventSelector } from 'viem'
import { type Address, lowerCaseAddress } from '../../core/chain/evm.ts'
import { asHex, hexField } from '../../dev/servers/rpc.ts'
import type { HubChain } from '../../test/support/servers/chain.ts'
import { elements, member } from './json.ts'
import type { Attempt } from './load.ts'
import { keyOf } from './payers.ts'

/** What the chain says about a run, to be compared with the answers that callers got. */

export interface Evidence {
  /** Of all the facilitator's transactions, whatever they did. */
  readonly gas: bigint
  readonly transactions: number
  readonly reverted: number
  /** Payouts of forwarders to merchants. */
  readonly distributions: number
  /** Payments by payer and authorization nonce. */
  readonly paid: ReadonlyMap<string, PaidOnChain>
}

export interface PaidOnChain {
  readonly to: Address
  readonly value: bigint
  readonly transaction: string
}

const AUTHORIZATION_USED = toEventSelector('AuthorizationUsed(address,bytes32)')
const DISTRIBUTED = toEventSelector('Distributed(bytes16,address,address,uint256,uint256)')
const TRANSFER = toEventSelector('Transfer(address,address,uint256)')
/** Failures that don't say whether the payment was made. */
const NON_COMMITTAL = ['settlement_pending', 'duplicate_settlement']

/** Reads the receipts of a range of blocks, both ends included. */
export async function readEvidence(
  chain: HubChain,
  senders: readonly Address[],
  fromBlock: bigint,
  toBlock: bigint,
): Promise<Evidence> {
  const paid = new Map<string, PaidOnChain>()
  let [gas, transactions, reverted, distributions] = [0n, 0, 0, 0]
  for (let block = fromBlock; block <= toBlock; block += 1n) {
    const number = `0x${block.toString(16)}`
    for (const receipt of elements(await chain.node.rpc('eth_getBlockReceipts', [number]))) {
      if (!senders.some((sender) => sender === hexField(receipt, 'from').toLowerCase())) continue
      transactions += 1
      gas += BigInt(hexField(receipt, 'gasUsed'))
      if (BigInt(hexField(receipt, 'status')) === 0n) reverted += 1
      const logs = elements(member(receipt, 'logs')).map(readLog)
      distributions += logs.filter(({ topics }) => topics[0] === DISTRIBUTED).length
      const transaction = hexField(receipt, 'transactionHash')
      for (const payment of payments(logs, chain.usdc.address)) {
        paid.set(payment.key, { ...payment, transaction })
      }
    }
  }
  return { gas, transactions, reverted, distributions, paid }
}

/**
 * Answers that the chain contradicts: a success without this very payment, or a failure in spite of it
 * when nobody else who asked got a success.
 */
export function contradictions(attempts: readonly Attempt[], { paid }: Evidence): Attempt[] {
  const successes = new Set(
    attempts
      .filter(({ said }) => said === 'yes')
      .map(({ posting }) => keyOf(posting.authorization)),
  )
  return attempts.filter(({ posting: { authorization }, said, reason, transaction }) => {
    const key = keyOf(authorization)
    const payment = paid.get(key)
    const isPaid = payment?.to === authorization.to && payment.value === authorization.value
    if (said === 'yes') return !isPaid || payment.transaction !== transaction
    return said === 'no' && isPaid && !successes.has(key) && !NON_COMMITTAL.includes(reason)
  })
}

/** A transfer counts when it directly follows the use of the authorization, in the token's own logs. */
function* payments(logs: readonly ReadLog[], token: Address) {
  for (const [i, used] of logs.entries()) {
    const moved = logs[i + 1]
    if (used.address !== token || moved?.address !== token) continue
    const [usedType, payer = '', nonce = '0x'] = used.topics
    const [movedType, from = '', to = ''] = moved.topics
    if (usedType !== AUTHORIZATION_USED || movedType !== TRANSFER || from !== payer) continue
    const key = keyOf({ from: addressIn(payer), nonce: asHex(nonce) })
    yield { key, to: addressIn(to), value: BigInt(moved.data) }
  }
}

type ReadLog = ReturnType<typeof readLog>

function readLog(log: unknown) {
  return {
    address: lowerCaseAddress(hexField(log, 'address')),
    topics: elements(member(log, 'topics')).map(String),
    data: hexField(log, 'data'),
  }
}

function addressIn(topic: string): Address {
  return lowerCaseAddress(`0x${topic.slice(-40)}`)
}
