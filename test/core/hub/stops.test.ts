import { expect, test } from 'bun:test'
import { isStopped, stopBits, stoppedParts } from '../../../core/hub/stops.ts'

test('bits name the parts of a hub, as its contract has them', () => {
  expect(stopBits(['sweeps', 'distributions', 'refunds', 'registry'])).toBe(1 | 2 | 4 | 8)
  expect(stoppedParts(5)).toEqual(['sweeps', 'refunds'])
  expect(stoppedParts(0)).toEqual([])
  expect(stoppedParts(0xf0)).toEqual([])
  expect(isStopped(4, 'refunds')).toBe(true)
  expect(isStopped(4, 'registry')).toBe(false)
})
