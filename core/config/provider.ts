import type { Reader } from './reader.ts'

/** What the logs of a transaction that uses 60,000,000 gas take, and some more. */
const RESPONSE_BYTES = 67_108_864

/** What the providers of a chain's nodes allow; refusals narrow it while a process runs. */
export interface ProviderLimits {
  /** The widest range of one eth_getLogs, in blocks. */
  readonly logRange: number
  /** The most logs that one answer may hold. */
  readonly logResults: number
  /** The most calls of one batch; 1 sends each call alone. */
  readonly batch: number
  /** The most calls that one process sends to one URL within a second; 0 is as many as it takes. */
  readonly callsPerSecond: number
  /** The most bytes that one response may have. */
  readonly responseBytes: number
}

/** Reads the limits of a chain; `id` is its suffix. */
export function providerLimits(reader: Reader, id: string): ProviderLimits {
  return {
    logRange: reader.integer(`RPC_MAX_LOG_RANGE_${id}`, 10_000, 1, 1_000_000),
    logResults: reader.integer(`RPC_MAX_LOG_RESULTS_${id}`, 10_000, 1, 1_000_000),
    batch: reader.integer(`RPC_MAX_BATCH_${id}`, 100, 1, 1_000),
    callsPerSecond: reader.integer(`RPC_REQUESTS_PER_SECOND_${id}`, 0, 0, 100_000),
    responseBytes: reader.integer(
      `RPC_MAX_RESPONSE_BYTES_${id}`,
      RESPONSE_BYTES,
      65_536,
      1_073_741_824,
    ),
  }
}
