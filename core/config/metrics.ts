import type { Reader } from './reader.ts'

/** Where a process serves its metrics. */
export interface MetricsAddress {
  readonly host: string
  readonly port: number
}

/** Null unless METRICS_PORT names a port: then nothing is served. */
export function metricsAddress(reader: Reader): MetricsAddress | null {
  if (reader.optional('METRICS_PORT') === null) return null
  return {
    host: reader.text('METRICS_HOST', '127.0.0.1'),
    port: reader.integer('METRICS_PORT', 0, 0, 65_535),
  }
}
