import { Counter, type Registry } from 'prom-client'
import { rpcCallCounts } from '../../chain/rpc/counters.ts'

/** The calls that this process has sent to nodes, which providers bill. */
export function showRpcCalls(registry: Registry): void {
  const calls = new Counter({
    name: 'remit_rpc_calls_total',
    help: 'Calls sent to nodes, each as often as it was sent.',
    labelNames: ['chain', 'method', 'outcome'],
    registers: [registry],
    collect() {
      calls.reset()
      for (const { count, ...labels } of rpcCallCounts()) calls.inc(labels, count)
    },
  })
}
