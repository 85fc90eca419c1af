import { addressOf } from '../../../dev/stack/keys.ts'
import { createMerchant } from '../../../store/access/merchants.ts'
import { isDatabaseDown, openDatabase } from '../../../store/database/database.ts'
import { prepareForwarder, registerForwarder } from '../../../store/hub/forwarders.ts'
import { changeKeyStatus, type KeyStatus, readRelayerKeys } from '../../../store/relayer/keys.ts'
import type { Process } from '../kernel.ts'
import { RECEIVERS, type World } from '../world.ts'
import { insist } from './callers.ts'
import type { Merchant } from './records.ts'

/** What operators do. */

export const SUPPORT = { name: 'support', poolSize: 1, silenceMs: 10_000 }

/** The operator's part: merchants who are paid by invoices and by x402. */
export async function openMerchants(
  world: World,
  actor: Process,
  count: number,
): Promise<Merchant[]> {
  const database = openDatabase(world.database.url, SUPPORT)
  const { hub } = world.chain
  const merchants: Merchant[] = []
  const [api] = world.apis
  if (api === undefined) throw new Error('there is no API')
  for (let i = 0; i < count; i += 1) {
    const recipient = addressOf(actor.random.hex(32))
    const created = await createMerchant(database, api.config, { name: `Shop ${i}`, recipient })
    if (!created.ok) throw new Error(created.message)
    const { id } = created.merchant
    const forwarder = await database.begin(async (sql) => {
      const address = await registerForwarder(sql, hub.hub, id)
      await prepareForwarder(sql, id, hub.networkId)
      return address
    })
    merchants.push({ id, key: created.secretKey, recipient, forwarder })
  }
  await database.end({ timeout: 1 })
  return merchants
}

/** Has a merchant's events sent to receivers of its own. */
export async function openReceivers(
  world: World,
  actor: Process,
  merchant: Merchant,
): Promise<void> {
  for (const host of RECEIVERS) {
    const body = { url: `http://${host}/${merchant.id}` }
    const answer = await insist(world, actor, 'POST', '/v1/webhooks/endpoints', {
      key: merchant.key,
      body,
    })
    if (answer.status !== 201)
      throw new Error(`an endpoint was refused: ${JSON.stringify(answer.json)}`)
  }
}

/** Rows that several processes write. */
const LOCKED = [
  'invoice',
  'chain_state',
  'relayer_key',
  'work_item',
  'x402_payment',
  'webhook_endpoint',
  'webhook_endpoint',
]

/** An operator's session that locks rows now and then, some of them for longer than others wait. */
export async function lockRows(world: World, actor: Process): Promise<void> {
  const { lockEveryMs } = world.faults.rates
  if (lockEveryMs === Number.POSITIVE_INFINITY) return
  const database = openDatabase(world.database.url, SUPPORT)
  for (;;) {
    await Bun.sleep(actor.random.between(1, 2 * lockEveryMs))
    if (world.faults.isOff) return
    const table = actor.random.pick(LOCKED)
    const ms = actor.random.isLikely(0.2) ? 11_000 : actor.random.between(50, 2_000)
    const work = database.begin(async (sql) => {
      await sql`select from ${sql(table)} limit 5 for update`
      await Bun.sleep(ms)
    })
    // It may lose against others itself.
    await work.catch(() => undefined)
    world.count('locks')
  }
}

/** Takes relayers out of service now and then: while one is drained, nothing new is signed with its key. */
export async function drainKeys(world: World, actor: Process): Promise<void> {
  const { random } = actor
  const { networkId } = world.chain.hub
  const database = openDatabase(world.database.url, SUPPORT)
  const drained = async (address: string) => {
    const [row] = await untilAnswered(
      () => database<{ count: string }[]>`
        select count(*)::text as count from relayer_tx where address = ${address}`,
    )
    return row?.count
  }
  while (!world.faults.isOff) {
    await Bun.sleep(random.between(200, 4_000))
    const keys = await untilAnswered(() => readRelayerKeys(database, networkId))
    const active = keys.filter(({ status }) => status === 'active')
    // One at least goes on.
    if (active.length < 2) continue
    const key = random.pick(active)
    const change = (from: KeyStatus, to: KeyStatus) =>
      changeKeyStatus(database, key, [from], to, null).catch(() => null)
    if (!(await change('active', 'draining'))) continue
    world.count('drained relayers')
    const before = await drained(key.address)
    await Bun.sleep(random.between(200, 4_000))
    if ((await drained(key.address)) !== before)
      throw new Error(`relayer ${key.address} got work while it was drained`)
    while ((await change('draining', 'active')) === null) await Bun.sleep(1_000)
  }
}

/** Asks the database again while its server is away. */
async function untilAnswered<T>(ask: () => PromiseLike<T>): Promise<T> {
  for (;;) {
    try {
      return await ask()
    } catch (error) {
      if (!isDatabaseDown(error)) throw error
    }
    await Bun.sleep(1_000)
  }
}
