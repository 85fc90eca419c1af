import { advanceTime, timeOf } from '../../../chain/rpc/localNode.ts'
import { AppError } from '../../../core/base/errors.ts'
import { EVENT_TYPE_NAMES } from '../../../core/events/eventTypes.ts'
import { SCENARIOS } from '../../../core/invoice/scenario.ts'
import { withNode } from '../../http/backends.ts'
import { sendObject } from '../../http/exchange.ts'
import { route } from '../../http/route.ts'
import { findNodes, type PlayableChain } from '../../operate/sandboxNodes.ts'
import { bodyOf } from '../../request/body.ts'
import { one } from '../../request/responses.ts'
import { integer, list, object, text, time, withRange, wordField } from '../../request/schema.ts'

/** The development chains of a sandbox, their clocks and scenarios. */

/** A day: enough to try any expiry, and no large error by mistake. */
const MOST_SECONDS = 86_400

const chainSchema = object('A development chain.', {
  networkId: text('The chain.', 'base-sepolia'),
  name: text('Its name.', 'Base Sepolia'),
  time: time('The time of its newest block.', '2026-08-01T12:00:00.000Z'),
  block: text('The number of its newest block.', '1042'),
  tokens: list('The tokens of its faucet.', text('A ticker.', 'USDC')),
})

export const getSandboxRoute = route({
  operation: 'GET /v1/sandbox',
  access: 'merchant',
  summary: 'List scenarios',
  description: 'The development chains, the scenarios, and the types of test events.',
  operationId: 'getSandbox',
  successes: {
    200: one(
      'The sandbox.',
      object('The sandbox.', {
        chains: list('The development chains with a reachable node.', chainSchema),
        scenarios: list(
          'The scenarios of an invoice.',
          object('One.', {
            name: text('Its name.', 'exact'),
            about: text('What it does.', 'Pays the exact amount due.'),
          }),
        ),
        eventTypes: list('The types of test events.', text('A type.', 'invoice.paid')),
      }),
    ),
  },
  handle: async ({ chainClients }, { exchange }) => {
    const playable = await findNodes(chainClients)
    const chains = await withNode(() => Promise.all(playable.map(present)))
    const scenarios = Object.entries(SCENARIOS).map(([name, about]) => ({ name, about }))
    return sendObject(exchange, 200, { chains, scenarios, eventTypes: EVENT_TYPE_NAMES })
  },
})

const secondsField = withRange(
  `must be a whole number from 1 to ${MOST_SECONDS}`,
  integer('The seconds to advance the clock by.', 3_600, {
    minimum: 1,
    maximum: MOST_SECONDS,
  }),
)

export const advanceTimeRoute = route({
  operation: 'POST /v1/sandbox/time',
  access: 'merchant',
  body: bodyOf('The chain and the seconds.', {
    networkId: wordField('A development chain.', 'base-sepolia'),
    seconds: secondsField,
  }),
  summary: 'Advance a clock',
  description:
    'Moves the time of all further blocks of a development chain forward. The chain is shared by all ' +
    'users of the sandbox; its clock can’t be moved back.',
  operationId: 'advanceSandboxTime',
  successes: { 200: one('The chain, with its new time.', chainSchema) },
  errors: ['chain_not_local'],
  handle: async ({ chainClients }, { exchange, body: { networkId, seconds } }) => {
    const playable = await findNodes(chainClients)
    const local = playable.find(({ chain }) => chain.networkId === networkId)
    if (local === undefined) {
      const message = 'must be a development chain with a reachable node'
      throw new AppError('chain_not_local', [{ path: 'networkId', message }])
    }
    const moved = await withNode(async () => {
      await advanceTime(local.node, seconds)
      return present(local)
    })
    return sendObject(exchange, 200, moved)
  },
})

async function present({ chain, node }: PlayableChain) {
  const { time, block } = await timeOf(node)
  return {
    networkId: chain.networkId,
    name: chain.name,
    time: new Date(Number(time) * 1_000),
    block: block.toString(),
    tokens: chain.tokens.map(({ symbol }) => symbol),
  }
}
