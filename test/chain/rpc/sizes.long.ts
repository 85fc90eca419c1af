import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import { type ChainClient, openChain } from '../../../chain/rpc/client.ts'
import { isCallFault } from '../../../chain/rpc/faults.ts'
import { post } from '../../../chain/rpc/post.ts'
import { type Hex, lowerCaseAddress } from '../../../core/chain/evm.ts'
import { asHex } from '../../../dev/servers/rpc.ts'
import { faultOf, NO_PROBE } from '../../../workers/turns/isolation.ts'
import { type HubChain, startHubChain, workerConfig } from '../../support/servers/chain.ts'
import { type FakeRpc, startFakeRpc } from '../../support/servers/fakeRpc.ts'
import { flooder } from '../../support/servers/hostileCode.ts'

/** One answer that is huge, or never comes, beside others in the same batch. */

const FLOODER = lowerCaseAddress(`0x${'f1'.repeat(20)}`)
const TIMEOUT_MS = 400

let chain: HubChain
let node: FakeRpc
/** A transaction whose receipt has 10.6 MB, and some with small ones. */
let huge: Hex
let small: Hex[]

beforeAll(async () => {
  chain = await startHubChain({ relayers: 1 })
  await chain.node.rpc('anvil_setCode', [FLOODER, flooder(chain.usdc.address, 29_500)])
  const [from] = await accounts()
  const send = async (to: string, gas: string) =>
    asHex(await chain.node.rpc('eth_sendTransaction', [{ from, to, gas }]))
  huge = await send(FLOODER, '0xbebc20')
  small = []
  for (let i = 0; i < 12; i += 1) small.push(await send(FLOODER.replace('f1', 'f2'), '0x5208'))
  await chain.mine()
}, 120_000)

beforeEach(async () => {
  await node?.stop()
  node = startFakeRpc(chain.node.url)
})

afterAll(async () => {
  await node?.stop()
  await chain?.node.stop()
})

async function accounts(): Promise<readonly unknown[]> {
  const all = await chain.node.rpc('eth_accounts', [])
  return Array.isArray(all) ? all : []
}

async function opened(variables: Record<string, string> = {}): Promise<ChainClient> {
  const given = { RPC_URL_BASE_SEPOLIA: node.url, ...variables }
  const client = openChain(workerConfig(chain.variables(given)).chain)
  await client.rpc.getChainId()
  return client
}

/** What becomes of the receipts of all of them, asked for at one moment. */
function receipts({ rpc }: ChainClient) {
  const hashes = [...small.slice(0, 6), huge, ...small.slice(6)]
  return Promise.allSettled(hashes.map((hash) => rpc.getTransactionReceipt({ hash })))
}

test('a receipt of 10.6 MB is read beside the others', async () => {
  const client = await opened()
  const ends = await receipts(client)
  expect(ends.map(({ status }) => status)).toEqual(ends.map(() => 'fulfilled'))
  expect(node.bytes()).toBeGreaterThan(10_485_760)
})

test('one that is larger than the bound fails alone, and costs few requests', async () => {
  const client = await opened({ RPC_MAX_RESPONSE_BYTES_BASE_SEPOLIA: '1000000' })
  const before = node.requestCount()
  const ends = await receipts(client)
  const failed = ends.flatMap((end) => (end.status === 'rejected' ? [end.reason] : []))
  expect(failed).toHaveLength(1)
  expect(isCallFault(failed[0])).toBe(true)
  expect(await faultOf(failed[0], NO_PROBE)).toBe('own')
  // Halved down to the one: twice the logarithm of thirteen.
  expect(node.requestCount() - before).toBeLessThanOrEqual(9)
  // The node has answered, so that it isn't taken for one that is down.
  expect(client.urls()[0]?.state).toBe('healthy')
})

test('one that is never answered in time fails alone, and its neighbours are answered', async () => {
  const client = await opened({ RPC_TIMEOUT_MS: String(TIMEOUT_MS) })
  node.rule(({ method, params }) =>
    method === 'eth_getTransactionReceipt' && params[0] === huge
      ? { type: 'delay', ms: 20 * TIMEOUT_MS }
      : undefined,
  )
  const ends = await receipts(client)
  const failed = ends.flatMap((end) => (end.status === 'rejected' ? [end.reason] : []))
  expect(failed).toHaveLength(1)
  expect(await faultOf(failed[0], NO_PROBE)).toBe('own')
})

test('a node that answers no one is at fault itself', async () => {
  const client = await opened({ RPC_TIMEOUT_MS: '100' })
  node.requests(() => ({ type: 'delay', ms: 5_000 }))
  const ends = await receipts(client)
  for (const end of ends) {
    if (end.status === 'fulfilled') throw new Error('answered in time')
    expect(await faultOf(end.reason, NO_PROBE)).toBe('everyone')
  }
})

test('an answer is not read further than its bound, whatever length it claims', async () => {
  const body = 'x'.repeat(500_000)
  const chunks = `${body.length.toString(16)}\r\n${body}\r\n`.repeat(4)
  const claiming = 'HTTP/1.1 200 OK\r\ncontent-length: 10\r\ntransfer-encoding: chunked\r\n\r\n'
  const liar = Bun.listen({
    hostname: '127.0.0.1',
    port: 0,
    socket: { data: (socket) => void socket.end(`${claiming}${chunks}0\r\n\r\n`) },
  })
  const limits = { timeoutMs: 10_000, maxBytes: 600_000 }
  const reading = post(
    `http://127.0.0.1:${liar.port}`,
    [{ method: 'eth_chainId', params: [] }],
    limits,
  )
  await expect(reading).rejects.toThrow('exceeded the size limit')
  liar.stop(true)
})

test('a redirect of a node is not followed', async () => {
  let asked = 0
  const other = Bun.serve({
    ...{ hostname: '127.0.0.1', port: 0 },
    fetch: () => {
      asked += 1
      return Response.json({ jsonrpc: '2.0', id: 0, result: '0x1' })
    },
  })
  const leading = Bun.serve({
    ...{ hostname: '127.0.0.1', port: 0 },
    fetch: () => Response.redirect(other.url.href, 307),
  })
  const limits = { timeoutMs: 10_000, maxBytes: 1_000 }
  const asking = post(leading.url.href, [{ method: 'eth_chainId', params: [] }], limits)
  await expect(asking).rejects.toThrow('Status: 307')
  expect(asked).toBe(0)
  await Promise.all([leading.stop(true), other.stop(true)])
})
