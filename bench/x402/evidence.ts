import { toEventSelector } from 'viem'
import { type Address, lowerCaseAddress } from '../../core/chain/evm.ts'
import { asHex, hexField } from '../../dev/servers/rpc.ts'
import type { HubChain } from '../../test/support/servers/chain.ts'
import { elements, member } from './json.ts'
import type { Attempt } from './load.ts'
import { keyOf } from './posting.ts'
import { keyByAmount } from './schemes/permits.ts'

/** What the chain says about a run, to be compared with the answers that callers got. */

export interface Evidence {
  /** Of all the facilitator's transactions, failed ones included. */
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

/**
 * Reads the receipts of a range of blocks, both ends included. Transfers to `byPermit` are payments also where
 * no authorization goes before them.
 */
export async function readEvidence(
  chain: HubChain,
  senders: readonly Address[],
  fromBlock: bigint,
  toBlock: bigint,
  byPermit: ReadonlySet<Address> = new Set(),
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
      for (const payment of payments(logs, chain.usdc.address, byPermit)) {
        paid.set(payment.key, { ...payment, transaction })
      }
    }
  }
  return { gas, transactions, reverted, distributions, paid }
}

/**
 * Answers that the chain contradicts: a success without this very payment, or a failure in spite of it
 * when no other request got a success.
 */
export function contradictions(attempts: readonly Attempt[], { paid }: Evidence): Attempt[] {
  const successes = new Set(
    attempts.filter(({ said }) => said === 'yes').map(({ posting }) => posting.key),
  )
  return attempts.filter(({ posting: { authorization, key }, said, reason, transaction }) => {
    const payment = paid.get(key)
    const isPaid = payment?.to === authorization.to && payment.value === authorization.value
    if (said === 'yes') return !isPaid || payment.transaction !== transaction
    return said === 'no' && isPaid && !successes.has(key) && !NON_COMMITTAL.includes(reason)
  })
}

/**
 * A transfer counts when it directly follows the use of its authorization, in the token's own logs; one by
 * Permit2, of which nothing is logged, when it goes to one of those who are paid so.
 */
function* payments(logs: readonly ReadLog[], token: Address, byPermit: ReadonlySet<Address>) {
  for (const [i, moved] of logs.entries()) {
    const [type, sender = '', receiver = ''] = moved.topics
    if (moved.address !== token || type !== TRANSFER) continue
    const [from, to, value] = [addressIn(sender), addressIn(receiver), BigInt(moved.data)]
    const used = logs[i - 1]
    const [usedType, payer, nonce = '0x'] = used?.topics ?? []
    if (used?.address === token && usedType === AUTHORIZATION_USED && payer === sender) {
      yield { key: keyOf({ from, nonce: asHex(nonce) }), to, value }
    } else if (byPermit.has(to)) yield { key: keyByAmount(from, value), to, value }
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
