import { expect, test } from 'bun:test'
import {
  encodeAfterCreation,
  encodeAll,
  encodeTogether,
  factoryIn,
} from '../../../chain/channels/calls.ts'
import { lowerCaseAddress, ZERO_ADDRESS } from '../../../core/chain/evm.ts'
import { CHANNELS } from '../../../core/channels/channel.ts'

test('of a call one can tell the factory that it has create a wallet', () => {
  const factory = lowerCaseAddress(`0x${'ab'.repeat(20)}`)
  expect(factoryIn(encodeAfterCreation({ factory, data: '0x1234' }, '0x5678'))).toBe(factory)
  expect(factoryIn('0x5678')).toBeNull()
  const [creation, other] = [factory, ZERO_ADDRESS].map((target) => {
    return { target, allowFailure: true, callData: '0x1234' as const }
  })
  if (!creation || !other) throw new Error('there are no calls')
  const more = encodeAll([creation, { ...other, target: CHANNELS, allowFailure: false }, other])
  const cut = `0x${more.slice(2, 200)}` as const
  for (const call of [encodeTogether([]), encodeTogether(['0x56']), more, cut]) {
    expect(factoryIn(call)).toBe(ZERO_ADDRESS)
  }
})
