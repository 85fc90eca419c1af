import { expect, test } from 'bun:test'
import { shownMetadata } from '../../../core/x402/metadata.ts'
import { type Database, openDatabase } from '../../../store/database/database.ts'
import { registerEndpoint } from '../../../store/x402/endpoints.ts'
import { listListed, searchListed } from '../../../store/x402/listings.ts'
import { forThisFile, newAddress, newNetwork } from '../../support/store/database.ts'
import { anEndpointDraft, newShop } from '../../support/store/x402.ts'

/** What is listed, and how much is read for it. */

let sql: Database
let url: string
forThisFile((database, itsUrl) => {
  sql = database
  url = itsUrl
})

const TOOLS = 3_000
const PAGE = { limit: 20, offset: 0 }

test('tools of one URL are listed, searched and priced without reading all of them for each', async () => {
  const networkId = await listedTools(TOOLS, 'Northern')
  await sql`analyze x402_endpoint`
  const own = openDatabase(url, { name: 'listings', poolSize: 1 })
  try {
    const filter = { networkIds: [networkId], hasInfo: false }
    const before = await rowsRead(own)
    const { listed, total } = await listListed(own, filter, PAGE)
    expect([listed.length, total]).toEqual([20, TOOLS])
    const afterList = await rowsRead(own)
    expect(afterList - before).toBeLessThan(20 * TOOLS)
    const found = await searchListed(own, 'northern', filter, PAGE)
    expect(found).toMatchObject({ isCut: true, hasMore: true })
    expect((await rowsRead(own)) - afterList).toBeLessThan(20 * TOOLS)
  } finally {
    await own.end()
  }
}, 60_000)

test('a description of a tool without its name is a listing apart, which shows no extension', async () => {
  const networkId = await listedTools(1, 'Bare')
  const filter = { networkIds: [networkId], hasInfo: true }
  expect((await listListed(sql, filter, PAGE)).total).toBe(1)
  // As it may have been stored before names were checked, and as what is shown leaves it out.
  for (const name of [5, '', 'a\u0007b', 'x'.repeat(129), null, ['a']]) {
    await sql`
      update x402_endpoint
      set discovery = jsonb_set(discovery, '{info,input,toolName}', ${JSON.stringify(name)}::text::jsonb)
      where network_id = ${networkId} and discovery is not null`
    expect([name, (await listListed(sql, filter, PAGE)).total]).toEqual([name, 0])
    const { listed } = await listListed(sql, { ...filter, hasInfo: false }, PAGE)
    const shown = listed.map(({ prices: [first] }) => shownMetadata({ ...first.discovery }).info)
    expect([name, shown]).toEqual([name, [undefined]])
  }
  await sql`
    update x402_endpoint set discovery = discovery #- '{info,input,toolName}'
    where network_id = ${networkId} and discovery is not null`
  expect((await listListed(sql, filter, PAGE)).total).toBe(0)
  const { listed } = await listListed(sql, { ...filter, hasInfo: false }, PAGE)
  expect(listed.map(({ prices }) => prices.length)).toEqual([1])
  await sql`update x402_endpoint set discoverable = true where network_id = ${networkId}`
  const both = await listListed(sql, { ...filter, hasInfo: false }, PAGE)
  expect(both.listed.map(({ prices }) => prices.length)).toEqual([1, 1])
})

/** One URL with so many listed tools, and a price of its own that is not listed. Its network is the answer. */
async function listedTools(count: number, description: string): Promise<string> {
  const { id: merchantId } = await newShop(sql)
  const networkId = newNetwork()
  const draft = anEndpointDraft({ networkId })
  const { endpoint } = await registerEndpoint(sql, newAddress(), merchantId, draft, new Date())
  await sql`
    insert into x402_endpoint (id, merchant_id, url, url_key, description, network_id, token_symbol,
      asset, amount, discoverable, discovery, created_at)
    select gen_random_uuid(), merchant_id, url, url_key || '#' || i, ${description}, network_id, token_symbol,
      asset, amount, true, jsonb_build_object('info', jsonb_build_object('input',
        jsonb_build_object('type', 'mcp', 'toolName', 'tool ' || i))), created_at - i * interval '1 second'
    from x402_endpoint, generate_series(1, ${count}::int) i where id = ${endpoint.id}`
  return networkId
}

/** Rows of endpoints that were read so far: the session tells what it has read when the statement ends. */
async function rowsRead(own: Database): Promise<number> {
  await own`select pg_stat_force_next_flush()`
  const [row] = await own<{ rows: number }[]>`
    select (seq_tup_read + coalesce(idx_tup_fetch, 0))::int as rows
    from pg_stat_user_tables where relname = 'x402_endpoint'`
  return row?.rows ?? 0
}
