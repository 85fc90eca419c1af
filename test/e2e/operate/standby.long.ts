import { afterAll, expect, test } from 'bun:test'
import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { privateKeyToAccount } from 'viem/accounts'
import {
  createHome,
  createInvoice,
  type DevStack,
  eventually,
  getInvoice,
  restart,
  run,
  startDevStack,
  variablesOf,
} from '../../support/servers/devStack.ts'
import { withStackDatabase } from '../../support/servers/stackDatabase.ts'
import { type Pair, startPair } from '../../support/servers/standby.ts'
import { startTraffic } from '../../support/traffic/traffic.ts'
import { hex, openPayer, type Payer } from '../../support/x402/payer.ts'

/**
 * The primary is lost under traffic and the standby takes its place. A part of `bun run check:long`;
 * docs/backups.md says what an operator does. PROMOTION_SECONDS is how long the traffic goes on before and
 * after.
 */

const SECONDS = Number(process.env.PROMOTION_SECONDS ?? 15)
const OFFERED = { payments: 5, invoices: 2 }
const TIMEOUT_MS = 180_000
const NETWORK = 'base-sepolia'
const ROOT = join(import.meta.dirname, '../../..')

const { home, remove } = createHome()
let stack: DevStack | undefined
let pair: Pair | undefined
let hasPassed = false

afterAll(async () => {
  await stack?.stop()
  await pair?.stop()
  if (hasPassed) remove()
  else console.error(`logs and stores of the failed run: ${home}`)
}, 120_000)

test('nothing that was acknowledged is lost with the primary, and processes find the standby', async () => {
  const servers = await startPair(true)
  pair = servers
  const running = await startDevStack(home, {
    DATABASE_URL: servers.url,
    RATE_LIMIT_X402: '1000000',
  })
  stack = running
  const urls = () => [running.description.apiUrl]
  const traffic = await startTraffic(running, { ...OFFERED, urls })
  await Bun.sleep(SECONDS * 1_000)
  const before = traffic.look()
  await servers.failOver()
  await Bun.sleep(SECONDS * 1_000)
  const after = await traffic.stop()
  console.log(
    `${before.settled + after.settled} payments and ${before.invoices.length + after.invoices.length} invoices; ` +
      `at the promotion callers waited at most ${Math.round(after.worstMs)} ms, and for payments ${Math.round(after.gapMs)} ms (${after.retries} tries more)`,
  )
  expect([...before.errors, ...after.errors]).toEqual([])
  for (const id of [...before.invoices, ...after.invoices]) {
    const isComplete = ({ status }: { status: string }) => status === 'completed'
    await eventually(() => getInvoice(running, id), isComplete, TIMEOUT_MS)
  }
  const settled = await withStackDatabase(
    running,
    (sql) => sql<{ count: bigint }[]>`
      select count(*) from x402_payment where status = 'settled'`,
  )
  expect(settled[0]?.count).toBe(BigInt(before.settled + after.settled))
  const reconciled = await operate(running, servers, 'reconcile', '--wait', '60')
  expect(reconciled).toMatchObject({ code: 0, out: expect.stringContaining('Clean') })
  expect((await operate(running, servers, 'recover')).out).toContain(
    'start indexer, API and workers',
  )
  await end()
}, 900_000)

test('what a standby that did not confirm has lost is found, and nothing is sent twice', async () => {
  const servers = await startPair(false)
  pair = servers
  const running = await startDevStack(home, { DATABASE_URL: servers.url })
  stack = running
  const base = await openPayer(running.description, NETWORK)
  const isComplete = ({ status }: { status: string }) => status === 'completed'
  const paid = async () => {
    const { id, addresses } = await createInvoice(running, {
      tokenSymbol: 'USDC',
      amountExpected: '1',
    })
    await base.send(addresses[0]?.address ?? '', '1')
    return await eventually(() => getInvoice(running, id), isComplete, TIMEOUT_MS)
  }
  const kept = await paid()
  // This one the standby knows as unpaid; it is paid, and paid out, by what the standby never hears of.
  const known = await createInvoice(running, { tokenSymbol: 'USDC', amountExpected: '1' })
  await servers.cutOff()
  await base.send(known.addresses[0]?.address ?? '', '1')
  await eventually(() => getInvoice(running, known.id), isComplete, TIMEOUT_MS)
  await paid()
  const [treasury, before] = [kept.recipient?.address ?? '', await sent(base)]
  const money = await base.balance(treasury)
  await servers.failOver()

  const found = await operate(running, servers, 'recover', '--json')
  expect(found.code).toBe(1)
  const { mayStart, forgotten, steps } = JSON.parse(found.out)
  expect(mayStart).toBe(false)
  expect(forgotten).toContainEqual(expect.objectContaining({ networkId: NETWORK }))
  expect(steps.join()).toContain(`work hold --chain ${NETWORK}`)

  expect((await operate(running, servers, 'work', 'hold', '--chain', NETWORK)).code).toBe(0)
  for (const part of ['indexer', 'worker'] as const) await restart(running, part)
  const keys = async () =>
    JSON.parse((await operate(running, servers, 'relayer', 'list', '--json')).out)
  const isHeld = (all: { networkId: string; status: string }[]) =>
    all.every(({ networkId, status }) => networkId !== NETWORK || status === 'quarantined')
  await eventually(keys, isHeld, TIMEOUT_MS)
  const isPaid = ({ status }: { status: string }) => status === 'paid'
  await eventually(() => getInvoice(running, known.id), isPaid, TIMEOUT_MS)
  // Its deposit is empty, and the treasury has what it had.
  expect([await sent(base), await base.balance(treasury)]).toEqual([before, money])
  await recoverBySteps(running, servers)
  await eventually(() => getInvoice(running, known.id), isComplete, TIMEOUT_MS)
  expect(await base.balance(treasury)).toBe(money)
  await paid()
  expect((await operate(running, servers, 'recover')).out).toContain(
    'start indexer, API and workers',
  )
  hasPassed = true
  await end()
}, 900_000)

/** What `remit recover` says is to be done once a worker has quarantined the keys, and what it ends with. */
async function recoverBySteps(running: DevStack, servers: Pair): Promise<void> {
  const operating = (...words: string[]) => operate(running, servers, ...words)
  const listed = async () => JSON.parse((await operating('relayer', 'list', '--json')).out)
  for (const { networkId, address, status } of await listed()) {
    if (status !== 'quarantined') continue
    const words = ['relayer', 'revive', '--chain', networkId, '--address', address]
    // Not before the chain has confirmed what the account has sent.
    await eventually(
      () => operating(...words),
      ({ code }) => code === 0,
      TIMEOUT_MS,
    )
  }
  const { reviews } = JSON.parse((await operating('work', 'list', '--json')).out)
  for (const { id } of reviews) expect((await operating('work', 'retry', id)).code).toBe(0)
  const isClean = ({ out }: { out: string }) => out.includes('Clean')
  const { out } = await eventually(() => operating('reconcile'), isClean, TIMEOUT_MS)
  expect(out).toContain('for an invoice that the ledger has lost')
}

/** Runs a command of the operator's, who names both servers. */
function operate(running: DevStack, { url }: Pair, ...words: readonly string[]) {
  const variables = { ...variablesOf(running), DATABASE_URL: url, REMIT_HOME: '/nonexistent' }
  return run([join(ROOT, 'cli/main.ts'), ...words], variables)
}

/** How many transactions the relayers' accounts of the chain have sent. */
async function sent({ client }: Payer): Promise<number> {
  const { relayers } = JSON.parse(readFileSync(join(home, 'keys.json'), 'utf8'))
  const counts = (relayers[NETWORK] as string[]).map((key) =>
    client.getTransactionCount({ address: privateKeyToAccount(hex(key)).address }),
  )
  return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0)
}

async function end(): Promise<void> {
  await stack?.stop()
  await pair?.stop()
  stack = undefined
  pair = undefined
  for (const name of readdirSync(home)) rmSync(join(home, name), { recursive: true, force: true })
}
