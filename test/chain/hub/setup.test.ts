import { describe, expect, test } from 'bun:test'
import { missingCalls, NEW_HUB, setupDifferences, UNLIMITED } from '../../../chain/hub/setup.ts'
import { lowerCaseAddress } from '../../../core/chain/evm.ts'
import { ALL_CHAINS, chainNamed, tokenNamed } from '../../../core/chain/registry.ts'
import type { TokenOnChain } from '../../../core/chain/tokens.ts'

/** A token that the registry gained later is for the owner to list, on a hub that was set up before. */

const base = chainNamed('base', ALL_CHAINS)
const [USDC, EURC] = [tokenNamed(base, 'USDC'), tokenNamed(base, 'EURC')]
const someone = lowerCaseAddress(`0x${'51'.repeat(20)}`)
const DELAYS = { owner: 172_800, config: 86_400 }
const terms = ({ symbol, address, decimals }: TokenOnChain, isOptional: boolean) => ({
  ...{ symbol, address, decimals, isListed: true, isOptional, refundLimit: 1_000_000_000n },
})
const SETUP = {
  ...{ configSigner: someone, refundSigner: someone, feeCollector: someone, guardian: someone },
  operators: [],
  tokens: [terms(USDC, false), terms(EURC, true)],
  delays: DELAYS,
}
const roles = {
  ...{ configSigner: someone, refundSigner: someone, feeCollector: someone, guardian: someone },
}
const listed = { listed: true, decimals: 6, refundLimit: 1_000_000_000n }
const hub = (eurc: typeof listed | null, delays = DELAYS) => ({
  ...{ ...NEW_HUB, roles, delays },
  tokens: new Map([
    [USDC.address, listed],
    ...(eurc === null ? [] : [[EURC.address, eurc] as const]),
  ]),
})
const missing = (state: typeof NEW_HUB) =>
  missingCalls(someone, SETUP, state).map(({ what }) => what)

describe('EURC on a hub', () => {
  test('is listed with all the rest when the hub is set up', () => {
    expect(missing(NEW_HUB)).toContain(`list EURC at ${EURC.address}`)
    expect(missing(hub(null, { owner: 0, config: 0 })).join()).toContain('list EURC')
  })

  test('is not missing on one that was set up before, nor a difference', () => {
    expect(missing(hub(null))).toEqual([])
    expect(setupDifferences(SETUP, hub(null))).toEqual([])
  })

  test('is no difference where it was only refunded until now, by a limit of that time', () => {
    const refunded = hub({ listed: false, decimals: 6, refundLimit: UNLIMITED })
    expect(missing(refunded)).toEqual([])
    expect(setupDifferences(SETUP, refunded)).toEqual([])
  })

  test('has the limit that is configured once it is listed', () => {
    const other = hub({ ...listed, refundLimit: 5_000_000n })
    expect(setupDifferences(SETUP, other)).toEqual([
      "the hub's refund limit of EURC is 5, configured is 1000",
    ])
  })
})
