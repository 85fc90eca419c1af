import { erc20Abi, getAbiItem, type PublicClient } from 'viem'
import { type Address, type Hex, hashFrom, lowerCaseAddress } from '../core/evm.ts'
import { type BaseUnits, baseUnits } from '../core/money.ts'

/** What deposit addresses hold and received, read from the chain itself. */

export interface Holding {
  readonly holder: Address
  readonly token: Address
}

export interface TransferLog {
  readonly txHash: Hex
  readonly logIndex: number
  readonly blockNumber: bigint
  readonly blockHash: Hex
  readonly token: Address
  readonly from: Address
  readonly to: Address
  readonly amount: BaseUnits
}

const CALLS_PER_REQUEST = 500
const TRANSFER = getAbiItem({ abi: erc20Abi, name: 'Transfer' })

/** Balances at the end of one block, in the order asked for. Any failing call fails the whole read. */
export async function balancesAt(
  client: PublicClient,
  holdings: readonly Holding[],
  blockNumber: bigint,
): Promise<BaseUnits[]> {
  const balances: BaseUnits[] = []
  for (let start = 0; start < holdings.length; start += CALLS_PER_REQUEST) {
    const contracts = holdings.slice(start, start + CALLS_PER_REQUEST).map(({ holder, token }) => ({
      address: token,
      abi: erc20Abi,
      functionName: 'balanceOf' as const,
      args: [holder] as const,
    }))
    // Deployless: it needs no Multicall3 contract, which young and local chains lack.
    const results = await client.multicall({
      contracts,
      allowFailure: false,
      blockNumber,
      deployless: true,
      batchSize: 0,
    })
    balances.push(...results.map(baseUnits))
  }
  return balances
}

/** Every Transfer of these tokens to one of these addresses within the blocks, both ends included. */
export async function transfersTo(
  client: PublicClient,
  tokens: readonly Address[],
  holders: readonly Address[],
  fromBlock: bigint,
  toBlock: bigint,
): Promise<TransferLog[]> {
  const logs = await client.getLogs({
    address: [...tokens],
    event: TRANSFER,
    args: { to: [...holders] },
    fromBlock,
    toBlock,
    strict: true,
  })
  return logs.map((log) => ({
    txHash: hashFrom(log.transactionHash),
    logIndex: log.logIndex,
    blockNumber: log.blockNumber,
    blockHash: hashFrom(log.blockHash),
    token: lowerCaseAddress(log.address),
    from: lowerCaseAddress(log.args.from),
    to: lowerCaseAddress(log.args.to),
    amount: baseUnits(log.args.value),
  }))
}
