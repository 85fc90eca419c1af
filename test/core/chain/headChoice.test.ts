import { expect, test } from 'bun:test'
import { HeadChoice, type HeadRef } from '../../../core/chain/headChoice.ts'

const block = (number: bigint, branch = 'a'): HeadRef => ({ number, hash: `${branch}${number}` })

test('the highest head of all nodes wins', () => {
  const choice = new HeadChoice()
  expect(choice.choose([block(5n), block(7n), block(6n)])).toEqual(block(7n))
  expect(choice.choose([block(8n), block(7n)])).toEqual(block(8n))
})

test('a node that lags behind takes no head back, however long it does', () => {
  const choice = new HeadChoice()
  for (const number of [5n, 6n, 7n]) choice.choose([block(number)])
  for (let look = 0; look < 10; look += 1) expect(choice.choose([block(5n)])).toEqual(block(7n))
  expect(choice.hear(block(6n))).toBeNull()
  expect(choice.head).toEqual(block(7n))
})

test('a lower head of another chain is believed when look after look shows it', () => {
  const choice = new HeadChoice()
  choice.choose([block(7n)])
  expect(choice.choose([block(5n, 'b')])).toEqual(block(7n))
  expect(choice.choose([block(5n, 'b')])).toEqual(block(7n))
  expect(choice.choose([block(5n, 'b')])).toEqual(block(5n, 'b'))
})

test('one look at the head between starts the count again', () => {
  const choice = new HeadChoice()
  choice.choose([block(7n)])
  for (let look = 0; look < 3; look += 1) {
    expect(choice.choose([block(5n, 'b')])).toEqual(block(7n))
    expect(choice.choose([block(5n, 'b')])).toEqual(block(7n))
    expect(choice.choose([block(7n)])).toEqual(block(7n))
  }
})

test('of two blocks at one height the present one stays while a node shows it', () => {
  const choice = new HeadChoice()
  choice.choose([block(7n)])
  expect(choice.choose([block(7n, 'b'), block(7n)])).toEqual(block(7n))
  expect(choice.choose([block(7n, 'b'), block(6n)])).toEqual(block(7n, 'b'))
})

test('what a subscription announces is taken at once when it is higher, and never leads back', () => {
  const choice = new HeadChoice()
  expect(choice.hear(block(6n))).toEqual(block(6n))
  expect(choice.hear(block(7n))).toEqual(block(7n))
  for (const heard of [block(7n, 'b'), block(6n, 'b'), block(7n)]) {
    expect(choice.hear(heard)).toBeNull()
  }
  expect(choice.head).toEqual(block(7n))
})

test('only the newest heads are remembered', () => {
  const choice = new HeadChoice()
  for (let number = 1n; number <= 300n; number += 1n) choice.choose([block(number)])
  expect(choice.find('a300')).toEqual(block(300n))
  expect(choice.find('a1')).toBeNull()
})

test('a head far above all others, which one node names, does not lead', () => {
  const choice = new HeadChoice()
  expect(choice.choose([block(1_000_000n, 'x'), block(7n)])).toEqual(block(7n))
  for (let number = 8n; number < 20n; number += 1n) {
    expect(choice.choose([block(1_000_000n + number, 'x'), block(number)])).toEqual(block(number))
    expect(choice.hear(block(1_000_000n + number, 'x'))).toBeNull()
  }
})

test('a far head leads once a second node is near it, or a subscription links to the present', () => {
  const choice = new HeadChoice()
  choice.choose([block(7n)])
  expect(choice.choose([block(900n), block(899n), block(7n)])).toEqual(block(900n))
  const next = { ...block(2_000n), parentHash: 'a900' }
  expect(choice.hear(next)).toEqual(next)
})

test('a far head of the only node that answers leads when look after look shows it', () => {
  const choice = new HeadChoice()
  choice.choose([block(7n)])
  expect(choice.choose([block(900n)])).toEqual(block(7n))
  expect(choice.choose([block(901n)])).toEqual(block(7n))
  expect(choice.choose([block(902n)])).toEqual(block(902n))
})

test('a far head leads in the end when all others have stopped', () => {
  const choice = new HeadChoice()
  choice.choose([block(7n)])
  const shown: [HeadRef, HeadRef] = [block(900n), block(7n)]
  let looks = 0
  while (choice.choose(shown).number === 7n) looks += 1
  expect(looks).toBe(299)
})
