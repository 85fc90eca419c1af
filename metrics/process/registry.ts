import { collectDefaultMetrics, Gauge, Registry } from 'prom-client'
import { VERSION } from '../../core/base/version.ts'

/**
 * What a process shows to Prometheus (text format 0.0.4). Nothing is ever labelled by merchant, payer or
 * anything else that callers choose.
 */

/** The entry point that the figures are of. */
export type ProcessName = 'api' | 'worker' | 'indexer'

/** The figures that every process has: its own memory, processor time and event loop, and its version. */
export function openRegistry(name: ProcessName): Registry {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  new Gauge({
    name: 'remit_build_info',
    help: 'Always 1; its labels name the release.',
    labelNames: ['process', 'version'],
    registers: [registry],
  }).set({ process: name, version: VERSION }, 1)
  return registry
}
