import { BaseError, getAbiItem, numberToHex, type PublicClient, size, slice } from 'viem'
import { type Address, type Hex, hashFrom, lowerCaseAddress } from '../core/chain/evm.ts'
import { type BaseUnits, baseUnits } from '../core/money.ts'
import { isRefusal, isUnanswered } from './faults.ts'
import { HUB_ABI } from './hub/contract.ts'

/**
 * What a comparison of the ledger with a chain needs to read of the chain: any number of balances at
 * one block, and every event of the hub. Both in as few requests as nodes allow.
 */

/**
 * Creation code that never creates anything: eth_call runs it, and what it "deploys" is the answer.
 * Behind the code come the token and then the holders, 20 bytes each; the answer is one word per
 * holder. It needs no contract on the chain, and a holder takes a tenth of what an ABI-encoded
 * multicall would, which keeps hundreds of them below the limit of EIP-3860.
 */
const BALANCES_CODE: Hex = `0x${[
  '60146051600c39', // copy the token behind 12 zero bytes: memory[0] is its address
  '600051', // stack: token
  '6370a0823160e01b600052', // memory[0..4] = selector of balanceOf(address), the rest zero
  '6065', // stack: token, position of the first holder
  '6040', // stack: token, position, end of the answer
  '5b', // 0x19, next:
  '81381115604957', // if position >= codesize, go to done
  '601482601039', // memory[16..36] = holder, the argument's low 20 bytes
  '6020816024600086', // stack: ..., 32, end, 36, 0, token
  '5afa', // staticcall with all gas
  '601f3d1116603d57', // when it succeeded and returned a word, go to fine
  '600080fd', // else revert: a balance that can't be read is not zero
  '5b', // 0x3d, fine:
  '602001', // end += 32
  '9060140190', // position += 20
  '601956', // go to next
  '5b', // 0x49, done:
  '60409003', // length = end - 64
  '6040f3', // return memory[64..end]
].join('')}`

/** 500 words are below the 24,576 bytes that EIP-170 lets a deployment return. */
const HOLDERS_PER_CALL = 500

/**
 * The token balances of the holders at the end of one block, in their order, in base units. Throws
 * when the node doesn't answer, and when the token doesn't, for example because it has no code.
 */
export async function readBalances(
  client: PublicClient,
  token: Address,
  holders: readonly Address[],
  blockNumber: bigint,
): Promise<BaseUnits[]> {
  const balances: BaseUnits[] = []
  for (let start = 0; start < holders.length; start += HOLDERS_PER_CALL) {
    const some = holders.slice(start, start + HOLDERS_PER_CALL)
    const tail = [token, ...some].map((address) => address.slice(2)).join('')
    const { data } = await client.call({ data: `${BALANCES_CODE}${tail}`, blockNumber })
    if (data === undefined || size(data) !== some.length * 32) {
      throw new BaseError(`token ${token} did not tell the balances of ${some.length} holders`)
    }
    for (let i = 0; i < some.length; i++) {
      balances.push(baseUnits(BigInt(slice(data, i * 32, (i + 1) * 32))))
    }
  }
  return balances
}

/** The native coin that each of the holders had at the end of one block, in their order, in wei. */
export async function readNativeBalances(
  client: PublicClient,
  holders: readonly Address[],
  blockNumber: bigint,
): Promise<BaseUnits[]> {
  const balances = holders.map((address) => client.getBalance({ address, blockNumber }))
  return (await Promise.all(balances)).map(baseUnits)
}

/** True when there is a contract at this address at the end of the block. */
export async function hasCode(
  client: PublicClient,
  address: Address,
  blockNumber?: bigint,
): Promise<boolean> {
  const code = await client.getCode({
    address,
    ...(blockNumber === undefined ? {} : { blockNumber }),
  })
  return code !== undefined && code !== '0x'
}

const FIRST_RANGE = 10_000n
const LARGEST_RANGE = 100_000n

/**
 * Reads a stretch of blocks piece by piece, in order. Nodes limit ranges, results or time, each in
 * words of its own, so any refusal makes the next piece smaller, and success a little larger. Throws
 * the node's error when it refuses even a single block, or is silent twice in a row: once may be for
 * the size of the piece. What is no fault of the node's is thrown at once.
 */
export async function* readInRanges<T>(
  fromBlock: bigint,
  toBlock: bigint,
  read: (from: bigint, to: bigint) => Promise<T>,
  firstRange = FIRST_RANGE,
): AsyncGenerator<T> {
  let range = firstRange
  let from = fromBlock
  let isSilent = false
  while (from <= toBlock) {
    const to = from + range - 1n < toBlock ? from + range - 1n : toBlock
    let result: T
    try {
      result = await read(from, to)
    } catch (error) {
      const wasSilent = isSilent
      isSilent = isUnanswered(error) && !isRefusal(error)
      if (from === to || (isSilent ? wasSilent : !isRefusal(error))) throw error
      const smaller = (to - from + 1n) / (isSilent ? 16n : 4n)
      range = smaller > 0n ? smaller : 1n
      continue
    }
    isSilent = false
    yield result
    from = to + 1n
    // Slowly, because every refusal costs a request.
    const larger = range + range / 8n + 1n
    range = larger < LARGEST_RANGE ? larger : LARGEST_RANGE
  }
}

/** Money that the hub moved out of a clone. Amounts in base units. */
export interface HubMovement {
  readonly type: 'swept' | 'fee_owed' | 'refunded'
  readonly hub: Address
  /** The deposit address or forwarder. */
  readonly source: Address
  readonly token: Address
  /** The recipient of the money; the source itself for a fee that stayed there. */
  readonly recipient: Address
  /** What the recipient got; for `fee_owed` what stayed behind. */
  readonly amount: BaseUnits
  /** What the collector got; only sweeps have it. */
  readonly fee: BaseUnits
  readonly txHash: Hex
  readonly logIndex: number
  readonly blockNumber: bigint
  readonly blockHash: Hex
  /** The name under which the hub spent it; only refunds have one. */
  readonly refundId: Hex | null
}

const EVENTS = [
  getAbiItem({ abi: HUB_ABI, name: 'Swept' }),
  getAbiItem({ abi: HUB_ABI, name: 'FeeOwed' }),
  getAbiItem({ abi: HUB_ABI, name: 'Refunded' }),
] as const

/** Every Swept, FeeOwed and Refunded of these hubs within the blocks, both ends included. */
export async function hubMovements(
  client: PublicClient,
  hubs: readonly Address[],
  fromBlock: bigint,
  toBlock: bigint,
): Promise<HubMovement[]> {
  const logs = await client.getLogs({
    address: [...hubs],
    events: EVENTS,
    fromBlock,
    toBlock,
    strict: true,
  })
  return logs.map((log): HubMovement => {
    const place = {
      hub: lowerCaseAddress(log.address),
      token: lowerCaseAddress(log.args.token),
      txHash: hashFrom(log.transactionHash),
      logIndex: log.logIndex,
      blockNumber: log.blockNumber,
      blockHash: hashFrom(log.blockHash),
      refundId: null,
    }
    const fee = baseUnits(0n)
    if (log.eventName === 'Refunded') {
      const source = lowerCaseAddress(log.args.source)
      const recipient = lowerCaseAddress(log.args.to)
      return {
        ...place,
        type: 'refunded',
        source,
        recipient,
        amount: baseUnits(log.args.amount),
        fee,
        refundId: log.args.refundId,
      }
    }
    const source = lowerCaseAddress(log.args.deposit)
    if (log.eventName === 'FeeOwed') {
      const amount = baseUnits(log.args.amount)
      return { ...place, type: 'fee_owed', source, recipient: source, amount, fee }
    }
    return {
      ...place,
      type: 'swept',
      source,
      recipient: lowerCaseAddress(log.args.recipient),
      amount: baseUnits(log.args.remitted),
      fee: baseUnits(log.args.fee),
    }
  })
}

/** How many transactions an account had sent by the end of a block: its next account nonce. */
export async function accountNonce(
  client: PublicClient,
  address: Address,
  block: bigint | 'latest',
): Promise<bigint> {
  const at = block === 'latest' ? 'latest' : numberToHex(block)
  const count = await client.request({ method: 'eth_getTransactionCount', params: [address, at] })
  return BigInt(count)
}
