/**
 * A launcher in miniature, run as a process of its own so that a test can kill it: it continues the
 * durable chain and the database of a folder, leaves a mark in both, says so, and waits to be killed.
 */
import { join } from 'node:path'
import postgres from 'postgres'
import { startAnvil } from '../../../dev/servers/anvil.ts'
import { startPostgres } from '../../../dev/servers/postgres.ts'

const [dir = '', account = '', mark = ''] = process.argv.slice(2)

const chain = await startAnvil({
  chainId: 84_532,
  port: 0,
  mining: 200,
  stateFile: join(dir, 'chain.json'),
  accounts: 1,
})
const server = await startPostgres({ dataDir: join(dir, 'data'), port: 0 })

const hash = await chain.rpc('eth_sendTransaction', [
  { from: account, to: `0xfeed${mark.padStart(36, '0')}`, value: '0x1' },
])
let receipt: unknown = null
while (receipt === null) {
  await Bun.sleep(20)
  receipt = await chain.rpc('eth_getTransactionReceipt', [hash])
}
const sql = postgres(server.url, { onnotice: () => {} })
await sql`create table if not exists mark (hash text)`
await sql`insert into mark values (${String(hash)})`
await sql.end()
// The block is stored by the call that mined it; asking for another waits for that call.
await chain.mine()
console.log(JSON.stringify({ hash, genesis: chain.genesis, node: chain.pid, server: server.pid }))
await Bun.sleep(60_000)
