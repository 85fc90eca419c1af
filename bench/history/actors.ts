import pino from 'pino'
import { readHead } from '../../chain/blocks/blocks.ts'
import { openChain } from '../../chain/rpc/client.ts'
import { parseNotifierConfig } from '../../core/config/processes.ts'
import { advanceInvoices } from '../../store/invoice/advance.ts'
import { workerConfig } from '../../test/support/servers/chain.ts'
import { createLedger } from '../../workers/ledger/turn.ts'
import { createRelayer } from '../../workers/relayer/turn.ts'
import { LedgerWork } from '../../workers/turns/ledgerWork.ts'
import { createSender } from '../../workers/webhook/sender.ts'
import { createNotifier } from '../../workers/webhook/turn.ts'
import type { World } from './world.ts'

/** The actors of a worker, turned by hand. */
export interface Actors {
  readonly ledger: () => Promise<unknown>
  readonly relayer: () => Promise<unknown>
  readonly notifier: () => Promise<unknown>
  stop(): Promise<void>
}

export function openActors({ database, chain, relayerKey }: World): Actors {
  const log = pino({ level: 'silent' })
  const { config, chain: active } = workerConfig(
    chain.variables({ RELAYER_KEYS_BASE_SEPOLIA: relayerKey, X402_DISTRIBUTE_FROM: '2' }),
  )
  const hooks = parseNotifierConfig(chain.variables({ WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8' }))
  if (!hooks.ok) throw new Error(hooks.problems.join('\n'))
  const { environment, webhookAllowedNetworks: allowed, answersDays, secretKeys } = hooks.config
  const client = openChain(active)
  const heads = { newest: () => readHead(client.rpc) }
  const relayer = createRelayer({
    ...{ database, client, heads, config, log, workerId: 'history' },
    async onSettlementChanged(sql, invoiceIds) {
      await advanceInvoices(sql, config, invoiceIds, new Date())
    },
    timing: { flushMs: 0, retryMs: 0 },
  })
  const notifier = createNotifier({
    ...{ database, environment, answersDays, secretKeys, owner: 'history', log, onReply: () => {} },
    sender: createSender({ environment, allowed }),
  })
  return {
    ledger: createLedger({ database, config, client, work: new LedgerWork(log) }, heads, log).turn,
    relayer: () => relayer.turn(),
    notifier: () => notifier.turn(),
    async stop() {
      await relayer.release()
      await notifier.stop()
    },
  }
}
