import { expect, test } from 'bun:test'
import { type Found, recoverySteps } from '../../../cli/operate/recoverySteps.ts'
import { lowerCaseAddress } from '../../../core/chain/evm.ts'

/** What `remit recover` advises; the promotion in `check:long` runs it beside chains. */

const WHOLE: Found = { forgotten: [], differences: [], isFollowed: false }
const KEY = {
  networkId: 'base',
  address: lowerCaseAddress('0x70997970c51812dc3a010c7d01b50e0d17dc79c8'),
  ledger: 7n,
  chain: 9n,
}

test('a ledger that has everything needs no steps, even when no worker has followed the chain', () => {
  expect(recoverySteps(WHOLE)).toEqual([])
  const behind = { kind: 'ledger_behind', networkId: 'base' } as const
  expect(recoverySteps({ ...WHOLE, differences: [behind], isFollowed: true })).toEqual([])
})

test('what was forgotten is named by key, after workers are stopped and sweeps are held', () => {
  const steps = recoverySteps({ ...WHOLE, forgotten: [KEY], isFollowed: true })
  expect(steps[0]).toStartWith('Stop the running workers')
  const hold = steps.findIndex((step) => step.includes('work hold --chain base'))
  const revive = steps.findIndex((step) => step.includes('relayer revive --chain base'))
  expect(hold).toBeGreaterThan(0)
  expect(revive).toBeGreaterThan(hold)
  expect(steps[revive]).toContain('0x70997970C51812dc3A010C7d01b50e0d17dc79C8')
  expect(steps[revive]).toContain('has sent 2 transactions')
  // A worker that starts quarantines all keys of the chain, and sweeps go out again when those are back.
  expect(steps[revive + 1]).toContain('every other relayer of base')
  expect(steps.findIndex((step) => step.includes('work retry'))).toBeGreaterThan(revive)
})

test('a difference alone is reason enough, and a chain that was not read is the first of all', () => {
  const differs = { kind: 'sweep_without_settlement', networkId: 'base' } as const
  expect(recoverySteps({ ...WHOLE, differences: [differs] })[0]).toStartWith('Keep all workers')
  const unread = { kind: 'chain_unreachable', networkId: 'base' } as const
  const steps = recoverySteps({ ...WHOLE, forgotten: [KEY], differences: [differs, unread] })
  expect(steps).toEqual([expect.stringContaining('run this again')])
})
