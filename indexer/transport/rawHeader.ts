import { isHash, isQuantity } from '../../chain/rpc/calls.ts'
import { countCall } from '../../chain/rpc/counters.ts'
import { hashFrom } from '../../core/chain/evm.ts'
import type { HeadHeader } from '../../store/chain/heads.ts'

/** A block's header as a node's JSON has it, for Ponder to read. */
export type RawHeader = Readonly<Record<string, unknown>> & {
  readonly number: string
  readonly hash: string
  readonly parentHash: string
  readonly timestamp: string
  readonly gasLimit: string
}

/** True for a header of which all needed fields can be read. */
export function isRawHeader(value: unknown): value is RawHeader {
  const has = (name: string, is: (field: unknown) => boolean) => is(memberOf(value, name))
  const baseFee = memberOf(value, 'baseFeePerGas')
  return (
    ['hash', 'parentHash'].every((name) => has(name, isHash)) &&
    ['number', 'timestamp', 'gasLimit'].every((name) => has(name, isQuantity)) &&
    // Chains from before EIP-1559 have none.
    (baseFee === undefined || baseFee === null || isQuantity(baseFee))
  )
}

/** The header in what a node has sent for one; null, and counted, when it can't be read. */
export function headerIn(networkId: string, method: string, value: unknown): RawHeader | null {
  if (isRawHeader(value)) return value
  countCall(networkId, method, 'malformed')
  return null
}

/** One member of what may be no object at all. */
export function memberOf(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined
  return new Map(Object.entries(value)).get(name)
}

/** What other processes need of a header. */
export function readHeader(header: RawHeader): HeadHeader {
  const { number, hash, parentHash, timestamp, baseFeePerGas, gasLimit } = header
  return {
    number: BigInt(number),
    hash: hashFrom(hash),
    parentHash: hashFrom(parentHash),
    time: new Date(Number(timestamp) * 1000),
    baseFeePerGas: typeof baseFeePerGas === 'string' ? BigInt(baseFeePerGas) : 0n,
    gasLimit: BigInt(gasLimit),
  }
}
