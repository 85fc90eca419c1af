import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import pino from 'pino'
import { openChain } from '../../chain/rpc/client.ts'
import { lowerCaseAddress } from '../../core/chain/evm.ts'
import { tokenNamed } from '../../core/chain/registry.ts'
import { contractsOf } from '../../indexer/deployment/contracts.ts'
import {
  followedOf,
  followedText,
  parseFollowed,
  tokensToFollow,
  withFollowed,
} from '../../indexer/deployment/followed.ts'
import { deploymentSchema } from '../../indexer/deployment/schemaName.ts'
import { indexedTokens, noteIndexed } from '../../store/chain/indexedTokens.ts'
import {
  activeAt,
  indexed,
  openRigDatabase,
  type RigChain,
  type RigDatabase,
  startIndexer,
  startRigChain,
} from '../support/indexer/rig.ts'

/** Which tokens of the registry an index follows: one more of them is another index, which is filled again. */

const NOWHERE = lowerCaseAddress(`0x${'0e'.repeat(20)}`)
const log = pino({ level: 'silent' })
let chain: RigChain
let database: RigDatabase

beforeAll(async () => {
  chain = await startRigChain('base-sepolia')
  database = await openRigDatabase()
}, 120_000)
afterAll(async () => {
  await database?.close()
  await chain?.node.stop()
})

const eurc = () => ({
  ...{ networkId: 'base-sepolia', token: tokenNamed(chain.chain, 'EURC').address },
})
const active = (url = chain.node.url) => activeAt(chain.chain, [url])
const follow = (hub = chain.hub, url = chain.node.url) =>
  tokensToFollow(database.sql, [openChain(active(url))], hub, log)
const configured = (named: Parameters<typeof withFollowed>[1]) =>
  withFollowed({ chains: [active()], hub: chain.hub }, named)

describe('an optional token', () => {
  test('is left out where the hub does not list it, so that the index stays what it was', async () => {
    expect(await follow(NOWHERE)).toEqual([])
    const config = configured([])
    const [usdc, usdt] = [chain.usdc, tokenNamed(chain.chain, 'USDT').address]
    expect(contractsOf(config).Token.chain['base-sepolia']?.address).toEqual([usdc, usdt])
    expect(await deploymentSchema(config)).not.toBe(await deploymentSchema(configured([eurc()])))
  })

  test('is followed where the hub lists it', async () => {
    expect(await follow()).toEqual([eurc()])
    expect(followedOf(configured([eurc()]))).toEqual([eurc()])
    expect(parseFollowed(followedText([eurc()]))).toEqual([eurc()])
    expect(() => parseFollowed('base-sepolia:EURC')).toThrow('INDEXER_FOLLOWED_TOKENS')
  })

  test('adds nothing while no node answers', async () => {
    expect(await follow(chain.hub, 'http://127.0.0.1:1')).toEqual([])
  })
})

test('an indexer notes what its tables show, and keeps it, regardless of what the hub lists later', async () => {
  const indexer = await startIndexer(database.url, [chain])
  try {
    const txHash = await chain.pay(await database.watch(), 5n, eurc().token)
    await chain.node.mine()
    await indexed(database.sql, chain, txHash)
    while ((await indexedTokens(database.sql)).length === 0) await Bun.sleep(50)
    expect(await indexedTokens(database.sql)).toEqual([eurc()])
  } finally {
    await indexer.stop()
  }
  expect(await follow(NOWHERE)).toEqual([eurc()])
  await noteIndexed(database.sql, [eurc()])
  expect(await indexedTokens(database.sql)).toEqual([eurc()])
}, 180_000)
