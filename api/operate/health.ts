import { AppError } from '../../core/base/errors.ts'
import { VERSION } from '../../core/base/version.ts'
import { sendError } from '../http/errors.ts'
import { type ApiDependencies, sendObject } from '../http/exchange.ts'
import { route } from '../http/route.ts'
import { one, specialError } from '../request/responses.ts'
import { integer, list, named, nullable, partial, text } from '../request/schema.ts'
import { assessReadiness } from './assessReadiness.ts'
import { type PendingFigures, pendingFigures } from './pendingFigures.ts'
import type { Readiness } from './readiness.ts'

/** /health reports that this process is alive, /ready whether its dependencies work. */

const DEADLINE_MS = 2_000

const problem = text('A problem.', 'Redis does not respond')
const problemList = {
  ...list('Problems that prevent payments, settlements or webhooks.', problem),
  example: [],
}
const warningList = {
  ...list('What becomes a problem unless an operator intervenes.', {
    ...problem,
    example: 'base-sepolia: a relayer is low on gas',
  }),
  example: [],
}

const paymentFigures = named('UndecidedPayments', 'Pending x402 payments on all chains.', {
  pending: integer('The number of payments.', 0),
  oldestPendingSeconds: {
    ...nullable(integer('The age of the oldest, in seconds; null if there is none.', 0)),
    example: null,
  },
})

export const healthRoute = route({
  operation: 'GET /health',
  access: 'unlimited',
  isCrossOrigin: true,
  summary: 'Check liveness',
  description: 'Returns 200 while the process runs, regardless of its dependencies.',
  operationId: 'health',
  successes: {
    200: one(
      'Alive.',
      named('Health', 'The process.', {
        status: text('Always `ok`.', 'ok'),
        version: text('The release that runs.', '0.1.0'),
      }),
    ),
  },
  handle: async (_deps, { exchange }) =>
    sendObject(exchange, 200, { status: 'ok', version: VERSION }),
})

export const readyRoute = route({
  operation: 'GET /ready',
  access: 'observer',
  summary: 'Check readiness',
  description:
    'Returns 503 if there are problems, and 200 if there are only warnings. Details require ' +
    '`Authorization: Bearer` with the `OPERATOR_TOKEN`.',
  operationId: 'ready',
  successes: {
    200: one(
      'Ready.',
      named('Readiness', 'The system.', {
        status: text('Always `ready`.', 'ready'),
        ...partial({ problems: problemList, warnings: warningList, x402: paymentFigures }),
      }),
    ),
  },
  responses: {
    503: specialError('service_unavailable', 'NotReadyError', {
      problems: problemList,
      warnings: warningList,
    }),
  },
  handle: async (deps, { exchange, caller: { isOperator } }) => {
    const [system, redis] = await Promise.all([systemReadiness(deps), redisProblems(deps)])
    const problems = [...redis, ...system.problems]
    const { pending } = system
    const warnings = [
      ...deps.forwarding.warnings(deps.now()),
      ...system.warnings,
      ...deps.tokens.warnings(),
      ...deps.rates.warnings(deps.now()),
    ]
    if (problems.length > 0) {
      const details = isOperator ? { problems, warnings } : {}
      return sendError(exchange, new AppError('service_unavailable'), details)
    }
    if (!isOperator) return sendObject(exchange, 200, { status: 'ready' })
    const x402 = { pending: pending.count, oldestPendingSeconds: pending.oldestSeconds }
    return sendObject(exchange, 200, { status: 'ready', problems, warnings, x402 })
  },
})

async function systemReadiness(
  deps: ApiDependencies,
): Promise<Readiness & { readonly pending: PendingFigures }> {
  try {
    const health = await deps.availability.guard(deps.readHealth, DEADLINE_MS)
    const now = deps.now()
    return { ...assessReadiness(health, deps.config, now), pending: pendingFigures(health, now) }
  } catch (error) {
    deps.log.warn({ err: error }, 'the state of the system could not be read')
    const pending = { count: 0, oldestSeconds: null }
    return { problems: ['the database does not respond'], warnings: [], pending }
  }
}

async function redisProblems(deps: ApiDependencies): Promise<string[]> {
  try {
    await deps.pingRedis()
    return []
  } catch (error) {
    deps.log.debug({ err: error }, 'Redis does not respond')
    return [
      'Redis does not respond: each process limits on its own, and actors only run on their ticks',
    ]
  }
}
