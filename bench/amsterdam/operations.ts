import { encodeRefund, type RefundCall } from '../../chain/hub/refunds.ts'
import { encodeSweep, type SweepCall } from '../../chain/hub/sweeps.ts'
import {
  encodeDeployForwarder,
  encodeDistribute,
  encodeSettle,
  encodeSettleWallets,
} from '../../chain/x402/settlement.ts'
import { baseUnits } from '../../core/base/money.ts'
import type { Address } from '../../core/chain/evm.ts'
import type { ChainGas } from '../../core/chain/gas.ts'
import { depositAddress, forwarderAddress } from '../../core/hub/deposit.ts'
import { signRefund } from '../../test/support/hub/signatures.ts'
import type { Operation, Paid, Prepared } from './operation.ts'
import { signedAuthorization } from './payments.ts'
import { PERMIT_OPERATIONS } from './permits.ts'
import { RECOVERY_OPERATIONS } from './recoveries.ts'
import { addressOf, COLLECTOR, invoiceOf, keyOf, merchantOf, RELAYER, type Stage } from './stage.ts'

const AMOUNT = 10_000_000n
const FEE = 100_000n
const MAX_FEE = 500_000n

/** The backend's hub operations, each in the case that creates the most state. */
export const OPERATIONS: readonly Operation[] = [
  {
    name: 'sweep that deploys, treasuries and collector hold none yet',
    kind: 'sweep',
    prepare: (stage, count, gas) => sweep(stage, count, gas, {}),
  },
  {
    name: 'sweep that deploys, treasuries and collector hold some',
    kind: 'sweep',
    prepare: (stage, count, gas) => sweep(stage, count, gas, { holding: true }),
  },
  {
    name: 'sweep that deploys, with a collector on the blacklist',
    kind: 'sweep',
    prepare: (stage, count, gas) => sweep(stage, count, gas, { blacklisted: true }),
  },
  {
    name: 'second sweep of a deposit',
    kind: 'sweep',
    prepare: (stage, count, gas) => secondSweep(stage, count, gas),
  },
  {
    name: 'refund that deploys and leaves no fee',
    kind: 'refund',
    prepare: (stage, count, gas) => refund(stage, count, gas, stage.usdc, 0n),
  },
  {
    name: 'refund that deploys and leaves a fee',
    kind: 'refund',
    prepare: (stage, count, gas) => refund(stage, count, gas, stage.usdc, MAX_FEE),
  },
  {
    name: 'settle to one new merchant, distributed',
    kind: 'x402',
    merchants: () => 1,
    prepare: (stage, count, gas) => settle(stage, count, gas, 1),
  },
  {
    name: 'settle to as many new merchants, each distributed',
    kind: 'x402',
    merchants: (count) => count,
    prepare: (stage, count, gas) => settle(stage, count, gas, count),
  },
  {
    name: 'settle wallets to one new merchant, distributed',
    kind: 'x402_wallet',
    merchants: () => 1,
    prepare: settleWallets,
  },
  { name: 'distribute, first of each merchant', kind: 'distribute', prepare: distribute },
  { name: 'configure new merchants', kind: 'configure', prepare: configure },
  { name: 'deploy a forwarder', kind: 'deploy', isSingle: true, prepare: deployForwarder },
  {
    name: 'sweep of a token of 350,000 gas a transfer',
    kind: 'sweep',
    isCostly: true,
    prepare: (stage, count, gas) => sweep(stage, count, gas, { token: stage.costly }),
  },
  {
    name: 'refund of a token of 350,000 gas a transfer',
    kind: 'refund',
    isCostly: true,
    prepare: (stage, count, gas) => refund(stage, count, gas, stage.costly, MAX_FEE),
  },
  ...RECOVERY_OPERATIONS,
  ...PERMIT_OPERATIONS,
]

interface SweepCase {
  readonly token?: Address
  readonly holding?: boolean
  readonly blacklisted?: boolean
}

async function sweep(
  stage: Stage,
  count: number,
  gas: ChainGas,
  { token = stage.usdc, holding = false, blacklisted = false }: SweepCase,
): Promise<Prepared> {
  const names = await merchants(stage, count)
  const calls = names.map((name): SweepCall => ({ ...termsOf(name), ...SWEEP, token }))
  for (const call of calls) {
    await stage.mint(token, depositAddress(stage.hub, call), AMOUNT + SWEEP.leave)
  }
  if (holding) {
    for (const to of [COLLECTOR, ...names.map(treasury)]) await stage.mint(token, addressOf(to), 1n)
  }
  if (blacklisted) await stage.blacklist(addressOf(COLLECTOR))
  const fees = blacklisted ? 0n : FEE * BigInt(count)
  return {
    call: { to: stage.hub, data: encodeSweep(calls, gas) },
    paid: [
      ...names.map((name) => ({ token, to: addressOf(treasury(name)), amount: AMOUNT - FEE })),
      { token, to: addressOf(COLLECTOR), amount: fees },
    ],
  }
}

async function secondSweep(stage: Stage, count: number, gas: ChainGas): Promise<Prepared> {
  const first = await sweep(stage, count, gas, {})
  await stage.machine.prepare(keyOf(RELAYER), first.call.to, first.call.data)
  const token = stage.usdc
  const names = namesOf(count)
  const calls = names.map((name): SweepCall => {
    return { ...termsOf(name), ...SWEEP, fee: baseUnits(0n), deploys: false, token }
  })
  for (const call of calls) await stage.mint(token, depositAddress(stage.hub, call), AMOUNT)
  return {
    call: { to: stage.hub, data: encodeSweep(calls, gas) },
    paid: names.map((name) => ({ token, to: addressOf(treasury(name)), amount: AMOUNT })),
  }
}

async function refund(
  stage: Stage,
  count: number,
  gas: ChainGas,
  token: Address,
  feeLeft: bigint,
): Promise<Prepared> {
  const calls = namesOf(count).map(async (name, i): Promise<RefundCall> => {
    const terms = termsOf(name)
    const order = {
      refundId: BigInt(i),
      source: depositAddress(stage.hub, terms),
      token,
      to: addressOf(`customer ${name}`),
      amount: baseUnits(AMOUNT),
      feeLeft: baseUnits(feeLeft),
      deadline: stage.machine.time + 1800n,
    }
    const { chainId } = stage.machine
    const signature = await signRefund(keyOf('refund signer'), stage.hub, chainId, order)
    return { ...terms, order, signature }
  })
  const signed = await Promise.all(calls)
  for (const { order } of signed) await stage.mint(token, order.source, AMOUNT + MAX_FEE)
  return {
    call: { to: stage.hub, data: encodeRefund(signed, gas) },
    paid: signed.map(({ order }) => ({ token, to: order.to, amount: AMOUNT })),
  }
}

async function settle(
  stage: Stage,
  count: number,
  gas: ChainGas,
  merchantCount: number,
): Promise<Prepared> {
  const names = await merchants(stage, merchantCount)
  const items = await payments(stage, count, names, false)
  const distributions = names.map((name) => ({ merchantId: merchantOf(name), version: 1 }))
  const vrs = items.map(({ authorization, vrs: signature }) => ({ authorization, signature }))
  return {
    call: { to: stage.hub, data: encodeSettle(stage.usdc, vrs, distributions, gas) },
    paid: distributed(stage, names, count / merchantCount),
  }
}

async function settleWallets(stage: Stage, count: number, gas: ChainGas): Promise<Prepared> {
  const names = await merchants(stage, 1)
  const items = await payments(stage, count, names, true)
  const distributions = names.map((name) => ({ merchantId: merchantOf(name), version: 1 }))
  return {
    call: { to: stage.hub, data: encodeSettleWallets(stage.usdc, items, distributions, gas) },
    paid: distributed(stage, names, count),
  }
}

async function distribute(stage: Stage, count: number, gas: ChainGas): Promise<Prepared> {
  const names = await merchants(stage, count)
  for (const name of names) {
    await stage.mint(stage.usdc, forwarderAddress(stage.hub, merchantOf(name)), AMOUNT)
  }
  const distributions = names.map((name) => ({ merchantId: merchantOf(name), version: 1 }))
  return {
    call: { to: stage.hub, data: encodeDistribute(stage.usdc, distributions, gas) },
    paid: distributed(stage, names, 1),
  }
}

async function configure(stage: Stage, count: number): Promise<Prepared> {
  return { call: { to: stage.hub, data: await stage.registration(namesOf(count)) }, paid: [] }
}

async function deployForwarder(stage: Stage): Promise<Prepared> {
  return { call: { to: stage.hub, data: encodeDeployForwarder(merchantOf('0')) }, paid: [] }
}

const SWEEP = {
  amount: baseUnits(AMOUNT),
  fee: baseUnits(FEE),
  leave: 7n,
  version: 1,
  deploys: true,
} as const

function termsOf(name: string) {
  const ids = { merchantId: merchantOf(name), invoiceId: invoiceOf(name) }
  return { ...ids, recipient: null, feeCap: baseUnits(MAX_FEE) }
}

function namesOf(count: number): string[] {
  return Array.from({ length: count }, (_, i) => `${i}`)
}

async function merchants(stage: Stage, count: number): Promise<string[]> {
  const names = namesOf(count)
  await stage.register(names)
  return names
}

const treasury = (name: string) => `treasury ${name}`

/** Authorizations of payers in turn for the merchants' forwarders. */
async function payments(stage: Stage, count: number, names: readonly string[], isWallet: boolean) {
  const items = namesOf(count).map(async (payer, i) => {
    const merchant = merchantOf(names[i % names.length] ?? '')
    const to = forwarderAddress(stage.hub, merchant)
    return signedAuthorization(stage, `payer ${payer}`, to, AMOUNT, isWallet)
  })
  return Promise.all(items)
}

/** Balances of treasuries after the distribution: one base unit stays behind. */
function distributed(stage: Stage, names: readonly string[], each: number): Paid[] {
  const amount = AMOUNT * BigInt(each) - 1n
  const fee = amount / 100n
  return names.map((name) => {
    return { token: stage.usdc, to: addressOf(treasury(name)), amount: amount - fee }
  })
}
