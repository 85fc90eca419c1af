import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { asInvoiceId, asMerchantId } from '../../../core/base/ids.ts'
import { type Address, checksumAddress, lowerCaseAddress } from '../../../core/chain/evm.ts'
import { parseConfig } from '../../../core/config/processes.ts'
import { draftInvoice, newInvoice } from '../../../core/invoice/creation.ts'
import { waitUntil } from '../../../dev/processes/child.ts'
import { openKeyLookup } from '../../../store/access/apiKeys.ts'
import { type Database, openDatabase } from '../../../store/database/database.ts'
import { openCreations } from '../../../store/invoice/creations.ts'
import { remit } from '../../support/cli/run.ts'
import { MACHINE } from '../../support/clock.ts'
import { createDatabase, type TestDatabase } from '../../support/servers/run.ts'
import { newAddress } from '../../support/store/database.ts'

const RECIPIENT = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const HUB = '0x00000000000000000000000000000000000000b0'
let created: TestDatabase
let database: Database
let variables: Record<string, string>

beforeAll(async () => {
  created = await createDatabase()
  database = openDatabase(created.url, { name: 'test', poolSize: 2 })
  variables = {
    DATABASE_URL: created.url,
    REDIS_URL: 'redis://127.0.0.1:9',
    HUB_ADDRESS: HUB,
    FEE_COLLECTOR: '0x00000000000000000000000000000000000000fe',
    RPC_URL_BASE_SEPOLIA: 'http://127.0.0.1:9',
  }
})

afterAll(async () => {
  await database.end()
  await created.drop()
})

function run(...args: readonly string[]) {
  return remit(variables, ...args)
}

describe('migrate', () => {
  test('is asked for by every other command while the schema is missing', async () => {
    const ran = await run('merchant', 'list')
    expect(ran.code).toBe(1)
    expect(ran.err).toContain('run `bun run remit migrate`')
  })

  test('says with --dry-run what is missing and changes nothing', async () => {
    const ran = await run('migrate', '--dry-run', '--json')
    expect(ran.code).toBe(1)
    expect(ran.json().pending).toContain('schema/01_base.sql')
    expect((await run('migrate', '--dry-run')).code).toBe(1)
    const plan = await run('migrate', '--plan')
    expect(plan.code).toBe(1)
    expect(plan.out).toMatch(/schema\/01_base.sql +one transaction +no existing tables/)
  })

  test('ends when it is told to, while another one works', async () => {
    const lock = await database.reserve()
    await lock`select pg_advisory_lock(7733100)`
    const child = Bun.spawn([process.execPath, 'cli/main.ts', 'migrate'], {
      cwd: join(import.meta.dir, '../../..'),
      env: { ...MACHINE, REMIT_HOME: '/nonexistent', ...variables },
      stdout: 'ignore',
    })
    const waiting = async () => {
      const found =
        await database`select 1 from pg_locks where locktype = 'advisory' and not granted`
      return found.length > 0
    }
    expect(await waitUntil(waiting, 30_000)).toBe(true)
    child.kill('SIGTERM')
    expect(await child.exited).toBe(143)
    await lock`select pg_advisory_unlock(7733100)`
    lock.release()
  })

  test('applies what is missing, once', async () => {
    const first = await run('migrate')
    expect(first).toMatchObject({ code: 0 })
    expect(first.out).toContain('schema/01_base.sql')
    const second = await run('migrate', '--json')
    expect(second.json()).toEqual({ applied: [] })
    expect((await run('migrate', '--dry-run')).code).toBe(0)
  })
})

describe('merchants', () => {
  let merchantId = ''
  let secretKey = ''

  test('says how to begin while there is none', async () => {
    expect((await run('merchant', 'list')).out).toContain('merchant create --name NAME')
  })

  test('are shown without what a terminal obeys, however they are named', async () => {
    const name = `Evil \x1b[2J\x9b31m\u202e${String.fromCharCode(10)}Shop`
    await database`insert into merchant (id, name) values (gen_random_uuid(), ${name})`
    const [list, json] = [await run('merchant', 'list'), await run('merchant', 'list', '--json')]
    expect(list.out).toContain('Evil \\x1b[2J\\x9b31m\\u202e\\x0aShop')
    for (const { out } of [list, json]) {
      expect(out.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\u202e]/u)
    }
    // Merchants are never deleted; this one was none.
    await database`alter table merchant disable trigger user`
    await database`delete from merchant where name = ${name}`
    await database`alter table merchant enable trigger user`
    const unknown = await run('merchant', 'show', '\x1b[2Jnobody')
    expect(unknown.code).not.toBe(0)
    expect(unknown.err).not.toContain('\x1b')
  })

  test('are created with both keys, which work', async () => {
    const ran = await run('merchant', 'create', '--name', 'Café', '--json')
    expect(ran.code).toBe(0)
    const merchant = ran.json()
    expect(merchant).toMatchObject({ name: 'Café', recipient: null })
    merchantId = String(merchant.id)
    secretKey = String(merchant.secretKey)
    expect(secretKey).toMatch(/^sk_test_/)
    expect(merchant.publishableKey).toMatch(/^pk_test_/)
    const owner = await openKeyLookup(database, 'sandbox').find(secretKey)
    expect(owner).toMatchObject({ merchantId, kind: 'secret' })
  })

  test('may be let refund to anyone, or to the sender again', async () => {
    expect((await run('merchant', 'set', merchantId, '--refunds', 'any')).out).toContain(
      'any address',
    )
    const back = await run('merchant', 'set', merchantId, '--refunds', 'sender', '--json')
    expect(back.json()).toMatchObject({ id: merchantId, refundsAny: false })
    const wrong = await run('merchant', 'set', merchantId, '--refunds', 'all')
    expect(wrong.err).toContain('--refunds must be sender or any')
    const unknown = await run('merchant', 'set', Bun.randomUUIDv7(), '--refunds', 'any')
    expect(unknown.err).toContain('there is no merchant')
  })

  test('are shown and listed, never with their keys', async () => {
    const shown = await run('merchant', 'show', merchantId)
    expect(shown.out).toContain('Café')
    expect(shown.out + (await run('merchant', 'list', '--json')).out).not.toContain('sk_test_')
    const unknown = await run('merchant', 'show', Bun.randomUUIDv7())
    expect(unknown).toMatchObject({ code: 1, out: '' })
    expect(unknown.err).toContain('there is no merchant')
  })

  test('are shown with their registry entries, those not requested here marked', async () => {
    const hub = lowerCaseAddress(HUB)
    const [own, thief] = [newAddress(), newAddress()]
    const id = asMerchantId(merchantId)
    await database`
      update merchant set recipient = ${own}, config_version = 2 where id = ${id}`
    const entry = (networkId: string, version: number, treasury: Address) => ({
      ...{ networkId, hub, merchantId: id, version, treasury },
      ...{ changeVersion: null, changeTreasury: null, changeReadyAt: null },
    })
    const waits = { changeVersion: 9, changeTreasury: thief, changeReadyAt: new Date('2100-01-01') }
    const entries = [
      { ...entry('base-sepolia', 2, own), ...waits },
      entry('polygon-amoy', 1, own),
      { ...entry('sepolia', 2, thief), ...waits, changeReadyAt: null },
    ]
    await database`insert into registry_entry ${database(entries)}`
    const shown = await run('merchant', 'show', merchantId)
    const lines = shown.out.split('\n').filter((line) => line.startsWith('registry on'))
    const [ours, theirs] = [own, thief].map(checksumAddress)
    const unknown = 'not requested here'
    expect(lines.map((line) => line.replace(/ {2,}/, ': '))).toEqual([
      `registry on base-sepolia: version 2 to ${ours}, active (hub ${checksumAddress(hub)})`,
      `registry on base-sepolia: version 9 to ${theirs}, ${unknown}, pending until 2100-01-01T00:00:00.000Z; until then the hub pays this merchant nothing`,
      `registry on polygon-amoy: version 1 to ${ours}, active (hub ${checksumAddress(hub)})`,
      `registry on sepolia: version 2 to ${theirs}, ${unknown}, active (hub ${checksumAddress(hub)})`,
      `registry on sepolia: version 9 to ${theirs}, ${unknown}, vetoed`,
    ])
    const json = (await run('merchant', 'show', merchantId, '--json')).json()
    expect(json.registry).toMatchObject([{ version: 2, changeVersion: 9 }, {}, { version: 2 }])
    await database`delete from registry_entry`
    await database`update merchant set recipient = null, config_version = 0 where id = ${id}`
  })

  test('get a recipient, unless it is none', async () => {
    const at = ['recipient', 'set', '--merchant', merchantId, '--address']
    const ran = await run(...at, RECIPIENT, '--json')
    expect(ran.json()).toMatchObject({ recipient: RECIPIENT, configVersion: 1, toSettle: [] })
    const wrong = await run(...at, RECIPIENT.replace('0x70997970C', '0x70997970c'))
    expect(wrong).toMatchObject({ code: 1, out: '' })
    expect(wrong.err).toContain('--address')
    expect((await run(...at, HUB)).code).toBe(1)
    const missing = await run(
      'recipient',
      'set',
      '--merchant',
      Bun.randomUUIDv7(),
      '--address',
      RECIPIENT,
    )
    expect(missing.err).toContain('there is no merchant')
  })

  test('get a new key, and the old one is refused at once', async () => {
    const ran = await run('keys', 'rotate', '--merchant', merchantId, '--kind', 'secret', '--json')
    const { key } = ran.json()
    expect(await openKeyLookup(database, 'sandbox').find(secretKey)).toBeNull()
    expect(await openKeyLookup(database, 'sandbox').find(String(key))).toMatchObject({ merchantId })
    const wrong = await run('keys', 'rotate', '--merchant', merchantId, '--kind', 'private')
    expect(wrong).toMatchObject({ code: 2, out: '' })
    expect(wrong.err).toContain('--kind must be secret or publishable, not private')
  })

  test('have a new key in the files of the development stack, when they are its demo', async () => {
    const home = mkdtempSync(join(tmpdir(), 'remit-home-'))
    const files = ['dev.json', 'merchant.json'].map((name) => join(home, name))
    const write = (merchantId: string) => {
      for (const file of files) {
        writeFileSync(
          file,
          JSON.stringify({ merchantId, secretKey: 'old', publishableKey: 'kept' }),
        )
      }
    }
    const rotate = ['keys', 'rotate', '--merchant', merchantId, '--kind', 'secret', '--json']
    write(merchantId)
    const { key } = (await remit({ ...variables, REMIT_HOME: home }, ...rotate)).json()
    const keysIn = () => files.map((file) => JSON.parse(readFileSync(file, 'utf8')))
    const expected = { merchantId, secretKey: key, publishableKey: 'kept' }
    expect(keysIn()).toEqual([expected, expected])
    write(Bun.randomUUIDv7())
    await remit({ ...variables, REMIT_HOME: home }, ...rotate)
    expect(keysIn()).toMatchObject([{ secretKey: 'old' }, { secretKey: 'old' }])
    rmSync(home, { recursive: true })
  })

  test('are refused with a name that is none', async () => {
    const ran = await run('merchant', 'create', '--name', ' ')
    expect(ran).toMatchObject({ code: 1 })
    expect(ran.err).toContain('--name must have 1 to 200 characters')
  })
})

describe('invoices', () => {
  let merchantId = ''
  const ids: string[] = []

  beforeAll(async () => {
    const merchant = (await run('merchant', 'create', '--name', 'Shop', '--json')).json()
    merchantId = String(merchant.id)
    const parsed = parseConfig(variables)
    if (!parsed.ok) throw new Error(parsed.problems.join())
    for (const amountExpected of ['1', '2.5', '3']) {
      const now = new Date(Date.UTC(2026, 0, 1 + ids.length))
      const request = { tokenSymbol: 'USDC', amountExpected, externalRef: `order-${ids.length}` }
      const decision = draftInvoice(request, parsed.config, now)
      if (!decision.ok) throw new Error(decision.code)
      const invoice = newInvoice(decision.draft, {
        id: asInvoiceId(Bun.randomUUIDv7()),
        reference: `REFERENCE${ids.length}`,
        merchantId: asMerchantId(merchantId),
        hub: parsed.config.hub,
        now,
      })
      await openCreations(database).create({ invoice, metadataJson: '{}', eventJson: '{}' })
      ids.push(invoice.id)
    }
  })

  test('are listed newest first, by pages', async () => {
    const at = ['invoices', 'list', '--merchant', merchantId]
    const all = (await run(...at, '--json')).json()
    expect(idsIn(all)).toEqual(ids.toReversed())
    const second = (await run(...at, '--limit', '2', '--page', '2', '--json')).json()
    expect(idsIn(second)).toEqual([ids[0] ?? ''])
    expect(second.pagination).toEqual({ page: 2, limit: 2, total: 3, totalPages: 2 })
    const text = (await run(...at, '--limit', '2')).out
    expect(text).toContain('page 1 of 2, 3 invoices')
  })

  test('are filtered like in the API', async () => {
    const list = async (...more: string[]) =>
      idsIn((await run('invoices', 'list', '--merchant', merchantId, ...more, '--json')).json())
    expect(await list('--external-ref', 'order-1')).toEqual([ids[1] ?? ''])
    expect(await list('--reference', 'REFERENCE2')).toEqual([ids[2] ?? ''])
    expect(await list('--created-from', '2026-01-02T00:00:00Z')).toHaveLength(2)
    expect(await list('--created-to', '2026-01-01T00:00:00Z')).toHaveLength(1)
    expect(await list('--status', 'paid')).toEqual([])
    expect(await list('--expired', 'true')).toEqual([])
  })

  test('are shown with their figures', async () => {
    const ran = await run('invoices', 'show', ids[1] ?? '')
    expect(ran.out).toContain('2.5 USDC')
    expect(ran.out).toContain('No payment yet.')
    const json = (await run('invoices', 'show', ids[1] ?? '', '--json')).json()
    expect(json).toMatchObject({ id: ids[1], amountExpected: '2.5', merchantId, status: 'pending' })
    expect((await run('invoices', 'show', Bun.randomUUIDv7())).code).toBe(1)
  })

  test('are not looked for with a filter that makes no sense', async () => {
    const at = ['invoices', 'list', '--merchant', merchantId]
    const wrong = [
      ['--status', 'payed', '--status must be one of pending, partial, paid, completed'],
      ['--limit', '101', '--limit must be a whole number from 1 to 100'],
      ['--page', '0', '--page must be a whole number from 1'],
      ['--created-from', 'yesterday', '--created-from must be an ISO 8601 time'],
      ['--expired', 'maybe', '--expired must be true or false'],
    ] as const
    for (const [option, value, message] of wrong) {
      const ran = await run(...at, option, value)
      expect(ran).toMatchObject({ code: 2, out: '' })
      expect(ran.err).toContain(message)
    }
  })
})

function idsIn(list: Record<string, unknown>): string[] {
  const { invoices } = list
  return Array.isArray(invoices) ? invoices.map((invoice) => String(invoice.id)) : []
}

describe('database roles', () => {
  test('accept roles with a password, and list which may log in', async () => {
    const ran = await remit(
      { ...variables, DATABASE_PASSWORD_API: "it's long" },
      'database',
      'roles',
      '--json',
    )
    expect(ran.code).toBe(0)
    expect(ran.json().roles).toMatchObject([
      { process: 'api', canLogIn: true, isPasswordNew: true },
      { process: 'worker', canLogIn: false, isPasswordNew: false },
      { process: 'notifier', canLogIn: false, isPasswordNew: false },
      { process: 'indexer', canLogIn: false, isPasswordNew: false },
    ])
    expect((await run('database', 'roles')).out).toContain('MAY LOG IN')
  })
})
