import { formatAmount } from '../../../core/base/money.ts'
import { checksumAddress } from '../../../core/chain/evm.ts'
import { COIN_DECIMALS } from '../../../core/chain/tokens.ts'
import type { ActiveChain } from '../../../core/config/chains.ts'
import type { SystemHealth } from '../../../store/books/health.ts'
import { openTransactions } from '../../../store/books/operators.ts'
import { readWorkload } from '../../../store/books/workload.ts'
import { guardDatabase } from '../../http/backends.ts'
import { sendObject } from '../../http/exchange.ts'
import { route } from '../../http/route.ts'
import { assessReadiness } from '../../operate/assessReadiness.ts'
import { one } from '../../request/responses.ts'
import { integer, list, object, text } from '../../request/schema.ts'

/** The deployment's status: the assessment of /ready, and the rows that it is based on. */

const sentences = (about: string) => list(about, text('A message.', 'base: …'))
const things = (about: string) =>
  list(about, object('An entry.', { networkId: text('The chain.', 'base') }))

export const systemRoute = route({
  operation: 'GET /system',
  access: 'operator',
  summary: 'Read the system status',
  description: 'Chains, nodes, relayers, work and the notifier.',
  operationId: 'getSystem',
  successes: {
    200: one(
      'The system.',
      object('The status.', {
        problems: sentences('Problems that stop payments or settlements.'),
        warnings: sentences('Conditions that will become problems unless an operator intervenes.'),
        chains: things('The chains.'),
        relayers: things('The relayers.'),
        work: things('Open work.'),
        alarms: things('Alarms of workers.'),
        deliveries: integer('Pending webhooks.', 0),
        events: integer('Pending events.', 0),
      }),
    ),
  },
  handle: async (deps, { exchange }) => {
    const { availability, readHealth, config } = deps
    const [health, workload, open] = await Promise.all([
      availability.guard(readHealth),
      guardDatabase(deps, readWorkload),
      guardDatabase(deps, openTransactions),
    ])
    const { problems, warnings } = assessReadiness(health, config, deps.now())
    return sendObject(exchange, 200, {
      problems,
      warnings: [...deps.forwarding.warnings(deps.now()), ...warnings],
      chains: config.chains.map((chain) => presentChain(chain, health)),
      relayers: health.relayerKeys.map((key) => ({
        networkId: key.networkId,
        address: checksumAddress(key.address),
        status: key.status,
        note: key.note,
        usedBy: key.isLeased ? key.leaseOwner : null,
        nextNonce: key.nextNonce.toString(),
        open: open.get(`${key.networkId} ${key.address}`) ?? 0,
        balance: key.balance === null ? null : formatAmount(key.balance, COIN_DECIMALS),
        isLow: key.balance !== null && key.balance < config.lowBalanceWei,
        balanceAt: key.balanceAt,
      })),
      ...workload,
      hubWaiting: health.hubWaiting,
      alarms: health.alarms,
      waitingSince: health.waitingSince,
    })
  },
})

function presentChain(chain: ActiveChain, health: SystemHealth) {
  const { networkId, name, symbol, chainId } = chain
  const watched = health.chains.find((one) => one.networkId === networkId)
  const indexed = health.indexerHeads.get(chainId)
  return {
    networkId,
    name,
    symbol,
    head: watched?.head.toString() ?? null,
    headSeenAt: watched?.headSeenAt ?? null,
    movedAt: watched?.movedAt ?? null,
    hasRpcError: watched?.hasRpcError ?? false,
    indexedBlock: indexed?.toString() ?? null,
    projectedBlock: watched?.projectedBlock.toString() ?? null,
    nodes: health.nodes
      .filter((node) => node.networkId === networkId)
      .map(({ host, head, movedAt, fault }) => {
        return { host, head: head?.toString() ?? null, movedAt, fault }
      }),
    hubs: health.hubs
      .filter((hub) => hub.networkId === networkId)
      .map(({ hub, stopped, proposals }) => {
        return {
          address: checksumAddress(hub),
          stopped: stopped.length,
          proposals: proposals.length,
        }
      }),
  }
}
