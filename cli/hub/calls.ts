import { encodeFunctionData } from 'viem'
import { HUB_ABI } from '../../chain/hub/abi.ts'
import { FEE_CAP_DECIMALS } from '../../chain/hub/ownerCalls.ts'
import type { Address, Hex } from '../../core/chain/evm.ts'
import type { Chain } from '../../core/chain/registry.ts'
import { uuidToBytes16 } from '../../core/chain/words.ts'
import {
  type CommandInput,
  type CommandSpec,
  misused,
  type OptionSpec,
} from '../terminal/command.ts'
import { merchantArgument, required } from '../terminal/options.ts'
import {
  account,
  accountOption,
  accountOrNone,
  amount,
  bytes,
  decimalsOption,
  integer,
  limit,
  span,
  token,
} from './values.ts'

/** The calls that an owner can propose, each by a name of its own; `chain/hub/ownerCalls.ts` reads them. */

export interface OwnerCallSpec {
  readonly name: string
  readonly about: string
  readonly argument: NonNullable<CommandSpec['argument']> | null
  readonly options: Readonly<Record<string, OptionSpec>>
  /** What comes after `hub propose NAME`. */
  readonly example: string
  build(input: CommandInput, chain: Chain): Hex
}

const SOME = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const ACCOUNT = { name: 'ADDRESS', about: 'The account' }
const ACCOUNT_OR_NONE = { name: 'ADDRESS', about: 'The account, or nobody to unset it' }
const TOKEN = { name: 'TOKEN', about: 'A symbol of the registry, or an address' }

type Appointment = 'setConfigSigner' | 'setRefundSigner' | 'setGuardian' | 'transferOwnership'

function appointment(name: string, about: string, functionName: Appointment): OwnerCallSpec {
  return {
    name,
    about,
    argument: ACCOUNT_OR_NONE,
    options: {},
    example: SOME,
    build(input) {
      const args = [accountOrNone(input, 'ADDRESS', input.argument ?? '')] as const
      return encodeFunctionData({ abi: HUB_ABI, functionName, args })
    },
  }
}

function operator(name: string, about: string, isAllowed: boolean): OwnerCallSpec {
  return {
    name,
    about,
    argument: ACCOUNT,
    options: {},
    example: SOME,
    build(input) {
      const args = [argumentAccount(input), isAllowed] as const
      return encodeFunctionData({ abi: HUB_ABI, functionName: 'setOperator', args })
    },
  }
}

export const OWNER_CALLS: readonly OwnerCallSpec[] = [
  appointment('set-refund-signer', 'Appoint the signer of refunds.', 'setRefundSigner'),
  appointment('set-config-signer', 'Appoint the signer of registry entries.', 'setConfigSigner'),
  appointment('set-guardian', 'Appoint the guardian, who may stop and veto.', 'setGuardian'),
  appointment(
    'transfer-ownership',
    'Offer the ownership, which is then accepted.',
    'transferOwnership',
  ),
  operator('add-operator', 'Let an account sweep and distribute.', true),
  operator('remove-operator', 'Remove an account from the operators.', false),
  {
    name: 'set-fee-collector',
    about: 'Replace the account that receives fees.',
    argument: ACCOUNT,
    options: {},
    example: SOME,
    build(input) {
      const args = [argumentAccount(input)] as const
      return encodeFunctionData({ abi: HUB_ABI, functionName: 'setFeeCollector', args })
    },
  },
  {
    name: 'set-token',
    about: 'List a token, and say how much of it may be refunded in 24 hours.',
    argument: TOKEN,
    options: {
      limit: { value: 'AMOUNT', about: 'In whole tokens, or unlimited', required: true },
      decimals: { value: 'COUNT', about: 'Of a token that the registry does not know' },
      unlisted: { about: 'Refuse to sweep and distribute it' },
    },
    example: 'USDC --limit 5000',
    build(input, chain) {
      const found = token(input, chain, input.argument ?? '')
      const own = 'decimals' in found ? found.decimals : null
      const decimals = decimalsOption(input) ?? own
      if (decimals === null)
        throw misused(input, '--decimals is missing: the registry does not know the token')
      const isListed = !input.switches.has('unlisted')
      const args = [found.address, isListed, decimals, limit(input, decimals)] as const
      return encodeFunctionData({ abi: HUB_ABI, functionName: 'setToken', args })
    },
  },
  {
    name: 'set-delays',
    about: "Set the owner's delay, and that of treasuries.",
    argument: null,
    options: {
      owner: {
        value: 'SPAN',
        about: "Before the owner's additions are active, e.g. 48h",
        required: true,
      },
      config: {
        value: 'SPAN',
        about: 'Before another treasury is active, e.g. 24h',
        required: true,
      },
    },
    example: '--owner 48h --config 24h',
    build(input) {
      const args = [span(input, 'owner'), span(input, 'config')] as const
      return encodeFunctionData({ abi: HUB_ABI, functionName: 'setDelays', args })
    },
  },
  {
    name: 'set-merchant',
    about: "Write a merchant's registry entry, overriding the configuration signer.",
    argument: { name: 'ID', about: "The merchant's id" },
    options: {
      treasury: { value: 'ADDRESS', about: 'The payout address', required: true },
      'fee-bps': { value: 'COUNT', about: 'Hundredths of a percent of a payout', required: true },
      'fee-cap': {
        value: 'AMOUNT',
        about: 'The most of a payout, in whole tokens',
        required: true,
      },
      version: { value: 'NUMBER', about: 'Above the newest one', required: true },
    },
    example: `0197fe12-0000-7000-8000-000000000001 --treasury ${SOME} --fee-bps 50 --fee-cap 5 --version 8`,
    build(input) {
      const merchantId = uuidToBytes16(merchantArgument(input))
      const treasury = accountOption(input, 'treasury')
      const feeBps = integer(input, 'fee-bps', 10_000)
      const feeCap = Number(
        amount(input, '--fee-cap', required(input, 'fee-cap'), FEE_CAP_DECIMALS),
      )
      if (feeCap >= 2 ** 40) throw misused(input, '--fee-cap is at most 1099511 whole tokens')
      const version = integer(input, 'version', 2 ** 32 - 1)
      const args = [{ merchantId, treasury, feeBps, feeCap, version }] as const
      return encodeFunctionData({ abi: HUB_ABI, functionName: 'setMerchant', args })
    },
  },
  {
    name: 'recover',
    about: 'Move what was sent to the hub itself, or to its forwarder implementation.',
    argument: TOKEN,
    options: {
      from: { value: 'ADDRESS', about: 'The hub or the implementation', required: true },
      to: { value: 'ADDRESS', about: 'Who receives it', required: true },
      amount: { value: 'AMOUNT', about: 'In whole tokens, or e.g. 5units', required: true },
    },
    example: `USDC --from ${SOME} --to ${SOME} --amount 25`,
    build(input, chain) {
      const found = token(input, chain, input.argument ?? '')
      const decimals = 'decimals' in found ? found.decimals : null
      const sum = amount(input, '--amount', required(input, 'amount'), decimals)
      const args = [
        accountOption(input, 'from'),
        found.address,
        accountOption(input, 'to'),
        sum,
      ] as const
      return encodeFunctionData({ abi: HUB_ABI, functionName: 'recover', args })
    },
  },
  {
    name: 'recover-call',
    about: 'Have a deposit address or forwarder call a contract, e.g. to send an NFT on.',
    argument: { name: 'CLONE', about: 'The deposit address or forwarder' },
    options: {
      target: { value: 'ADDRESS', about: 'The contract', required: true },
      data: { value: 'BYTES', about: 'The calldata', required: true },
    },
    example: `${SOME} --target ${SOME} --data 0x42842e0e`,
    build(input) {
      const args = [
        argumentAccount(input),
        accountOption(input, 'target'),
        bytes(input, 'data'),
      ] as const
      return encodeFunctionData({ abi: HUB_ABI, functionName: 'recoverCall', args })
    },
  },
]

function argumentAccount(input: CommandInput): Address {
  return account(
    input,
    input.words.at(-1) === 'recover-call' ? 'CLONE' : 'ADDRESS',
    input.argument ?? '',
  )
}
