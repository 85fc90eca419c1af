import { afterEach, beforeAll, describe, expect, test } from 'bun:test'
import {
  chainLeadership,
  indexerLeadership,
  type Leadership,
} from '../../../store/database/leadership.ts'
import { createDatabase } from '../../support/servers/run.ts'

let url: string
beforeAll(async () => {
  url = (await createDatabase()).url
}, 120_000)

const open: Leadership[] = []
afterEach(async () => {
  for (const leadership of open.splice(0)) await leadership.release()
})

function keep(leadership: Leadership): Leadership {
  open.push(leadership)
  return leadership
}

const ofChain = (chainId: number) => keep(chainLeadership(url, chainId))
const ofIndexer = () => keep(indexerLeadership(url))

describe('leadership', () => {
  test('is held by one until it ends, however often it asks', async () => {
    const [first, second] = [ofChain(1), ofChain(1)]
    expect(await first.hold()).toBe(true)
    expect(await first.hold()).toBe(true)
    expect(await second.hold()).toBe(false)
    await first.release()
    expect(await second.hold()).toBe(true)
  })

  test('of one chain says nothing about another, nor about the indexer', async () => {
    expect(await ofChain(0).hold()).toBe(true)
    expect(await ofChain(1).hold()).toBe(true)
    const indexer = ofIndexer()
    expect(await indexer.hold()).toBe(true)
    expect(await ofIndexer().hold()).toBe(false)
  })

  test('is not held twice by one session: one release ends it', async () => {
    const first = ofIndexer()
    for (let i = 0; i < 3; i += 1) await first.hold()
    await first.release()
    expect(await ofIndexer().hold()).toBe(true)
  })
})
