import { describe, expect, test } from 'bun:test'
import { baseUnits } from '../../../core/base/money.ts'
import { lowerCaseAddress } from '../../../core/chain/evm.ts'
import { type DepositRows, knownDeposit, leaveOf } from '../../../core/invoice/depositBooks.ts'
import type { Settlement } from '../../../core/invoice/state.ts'
import { aPayment, aRefund, aSettlement, TOKEN } from '../../support/core/invoiceRows.ts'

const OTHER_TOKEN = lowerCaseAddress('0x036cbd53842c5426634e7929541ec2318f3dcf7e')
const NOTHING: DepositRows = { payments: [], settlements: [], refunds: [] }

function rows(change: Partial<DepositRows>): DepositRows {
  return { ...NOTHING, ...change }
}

/** What a sweep of 1,000 must leave, beside the payment of 1,000 that it takes. */
const LEAVES: Readonly<Record<string, readonly [expected: bigint, besides: Partial<DepositRows>]>> =
  {
    'nothing, where nothing else is known': [0n, {}],
    'a late payment': [70n, { payments: [aPayment(70n, { kind: 'late' })] }],
    'a payment that is not confirmed yet': [
      70n,
      { payments: [aPayment(70n, { status: 'pending' })] },
    ],
    'a confirmed payment that lies too shallow': [70n, { payments: [aPayment(70n)] }],
    'not a payment that was taken back': [
      0n,
      { payments: [aPayment(70n, { status: 'reverted' })] },
    ],
    'not a payment in another token': [0n, { payments: [aPayment(70n, { token: OTHER_TOKEN })] }],
    'not a payment on another chain': [0n, { payments: [aPayment(70n, { networkId: 'polygon' })] }],
    'what is promised to a refund that has not been mined': [
      70n,
      {
        payments: [aPayment(70n, { refunding: baseUnits(70n) })],
        refunds: [aRefund(70n, { status: 'open' })],
      },
    ],
    'not what a refund has taken, confirmed or not': [
      40n,
      {
        payments: [aPayment(100n, { refunding: baseUnits(60n) })],
        refunds: [aRefund(20n, { status: 'mined' }), aRefund(40n, { status: 'confirmed' })],
      },
    ],
    'what a refund that failed was to take': [
      70n,
      { payments: [aPayment(70n)], refunds: [aRefund(70n, { status: 'failed' })] },
    ],
    'what another round is to take': [
      300n,
      { payments: [aPayment(300n)], settlements: [aSettlement(300n, 0n, { status: 'open' })] },
    ],
    'not what other rounds have taken, confirmed or not': [
      5n,
      {
        payments: [aPayment(605n)],
        settlements: [
          aSettlement(200n, 0n, { status: 'mined' }),
          aSettlement(400n, 0n, { status: 'confirmed' }),
        ],
      },
    ],
    'what a round that failed was to take': [
      70n,
      { payments: [aPayment(70n)], settlements: [aSettlement(70n, 0n, { status: 'failed' })] },
    ],
    'a fee that its token would not pay out': [
      7n,
      {
        payments: [aPayment(300n)],
        settlements: [aSettlement(300n, 7n, { feeOwed: baseUnits(7n) })],
      },
    ],
    'nothing, where more has left than ever came': [
      0n,
      { refunds: [aRefund(9n, { status: 'mined' })] },
    ],
  }

describe('a sweep leaves', () => {
  for (const [what, [expected, besides]] of Object.entries(LEAVES)) {
    test(what, () => {
      const all = rows({ ...besides, payments: [aPayment(1_000n), ...(besides.payments ?? [])] })
      const sweep = { networkId: 'sepolia', token: TOKEN, amount: baseUnits(1_000n) }
      expect(leaveOf(all, sweep)).toBe(baseUnits(expected))
    })
  }
})

/** A round that ended without moving anything, after which a block showed the deposit like this. */
function found(block: bigint, isDeployed: boolean, feeLeft = 0n): Settlement {
  return aSettlement(1n, 0n, {
    ...{ status: 'failed', foundBlock: block, foundDeployed: isDeployed },
    foundFeeLeft: baseUnits(feeLeft),
  })
}

const mined = { status: 'mined', blockNumber: 20n } as const
const refunded = aRefund(1n, { ...mined, orderNumber: 1n, feeLeft: baseUnits(30n) })
const UNKNOWN = { isDeployed: false, chargeable: null }
const there = (chargeable: bigint) => ({ isDeployed: true, chargeable: baseUnits(chargeable) })

const KNOWN: Readonly<Record<string, readonly [expected: object, known: Partial<DepositRows>]>> = {
  'is not there before anything left it': [UNKNOWN, {}],
  'is not there for what is on its way, or failed': [
    UNKNOWN,
    {
      settlements: [1, 2].map((round) =>
        aSettlement(1n, 0n, { round, status: round === 1 ? 'open' : 'failed' }),
      ),
      refunds: [aRefund(1n), aRefund(1n, { status: 'failed' })],
    },
  ],
  'is there after a sweep, whose fee was the only one': [
    there(0n),
    { settlements: [aSettlement(1n, 0n, mined)] },
  ],
  'is there after a sweep of any token': [
    there(0n),
    { settlements: [aSettlement(1n, 0n, { ...mined, token: OTHER_TOKEN })] },
  ],
  'is not there for a sweep on another chain': [
    UNKNOWN,
    { settlements: [aSettlement(1n, 0n, { ...mined, networkId: 'polygon' })] },
  ],
  'is there after a refund, with what its order left to charge': [
    there(30n),
    { refunds: [refunded] },
  ],
  'lets be charged what the first of several refunds left': [
    there(30n),
    {
      refunds: [
        aRefund(1n, { ...mined, blockNumber: 21n, orderNumber: 3n, feeLeft: baseUnits(9n) }),
        aRefund(1n, { ...mined, orderNumber: 2n, feeLeft: baseUnits(8n) }),
        refunded,
      ],
    },
  ],
  'lets nothing more be charged after a sweep that followed a refund': [
    there(0n),
    { refunds: [refunded], settlements: [aSettlement(1n, 0n, { ...mined, blockNumber: 25n })] },
  ],
  'is there when somebody else has deployed it': [
    there(4n),
    { settlements: [found(9n, true, 4n)] },
  ],
  'is not there when a block does not show it': [UNKNOWN, { settlements: [found(9n, false)] }],
  'is what the newest block showed': [
    there(4n),
    { settlements: [found(9n, false), found(11n, true, 4n), found(10n, false)] },
  ],
  'is there after a refund, whatever was seen before': [
    there(30n),
    { refunds: [refunded], settlements: [found(19n, false)] },
  ],
  'lets be charged what was seen after a refund': [
    there(3n),
    { refunds: [refunded], settlements: [found(20n, true, 3n)] },
  ],
  'is not there when a later block has lost it': [
    UNKNOWN,
    { refunds: [refunded], settlements: [found(20n, false)] },
  ],
  'lets nothing be charged after a sweep, whatever was seen': [
    there(0n),
    { settlements: [aSettlement(1n, 0n, mined), found(22n, true, 9n)] },
  ],
}

describe('the contract of a deposit', () => {
  for (const [what, [expected, known]] of Object.entries(KNOWN)) {
    test(what, () => {
      expect<object>(knownDeposit(rows(known), 'sepolia')).toEqual(expected)
    })
  }
})
