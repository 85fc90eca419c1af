import { expect, test } from 'bun:test'
import { baseUnits } from '../../../core/base/money.ts'
import { lowerCaseAddress } from '../../../core/chain/evm.ts'
import { chainsOf } from '../../../core/chain/registry.ts'
import { refundNeedsApproval } from '../../../core/merchant/approval.ts'

const CHAINS = chainsOf('sandbox')
const [CHAIN] = CHAINS
const TOKEN = CHAIN?.tokens[0]

/** Whether so many base units of a token need a second person, where those above one whole token do. */
const needs = (amount: bigint, token = TOKEN?.address, networkId = CHAIN?.networkId) =>
  refundNeedsApproval(
    1_000_000n,
    {
      networkId: networkId ?? '',
      token: token ?? lowerCaseAddress(`0x${'1'.repeat(40)}`),
      amount: baseUnits(amount),
    },
    CHAINS,
  )

test('a refund needs a second person above the amount, in whole tokens', () => {
  const one = 10n ** BigInt(TOKEN?.decimals ?? 0)
  expect([needs(one), needs(one + 1n)]).toEqual([false, true])
})

test('of a token or a network that no one knows each one does', () => {
  expect(needs(1n, lowerCaseAddress(`0x${'9'.repeat(40)}`))).toBe(true)
  expect(needs(1n, TOKEN?.address, 'elsewhere')).toBe(true)
})
