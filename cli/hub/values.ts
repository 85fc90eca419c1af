import { UNLIMITED } from '../../chain/hub/setup.ts'
import { parseDuration } from '../../core/base/duration.ts'
import { MAX_DECIMALS, parseAmount, tokenDecimals } from '../../core/base/money.ts'
import { type Address, type Hex, parseAddress, ZERO_ADDRESS } from '../../core/chain/evm.ts'
import { type Chain, tokensOf } from '../../core/chain/registry.ts'
import type { Token } from '../../core/chain/tokens.ts'
import { type CommandInput, misused } from '../terminal/command.ts'
import { required } from '../terminal/options.ts'

/** Reads accounts, tokens, amounts and durations from the command line. @throws UsageError with the format. */

const NO_ACCOUNT = 'nobody'

export function account(input: CommandInput, name: string, text: string): Address {
  const address = parseAddress(text)
  if (address !== null && address !== ZERO_ADDRESS) return address
  throw misused(input, `${name} must be an address with a correct checksum, not ${text}`)
}

export function accountOrNone(input: CommandInput, name: string, text: string): Address {
  if (text === NO_ACCOUNT) return ZERO_ADDRESS
  const address = parseAddress(text)
  if (address !== null && address !== ZERO_ADDRESS) return address
  throw misused(input, `${name} must be an address with a correct checksum, or nobody, not ${text}`)
}

/** An option that the command requires. */
export function accountOption(input: CommandInput, name: string): Address {
  return account(input, `--${name}`, required(input, name))
}

/** A token of the chain by its symbol, or any token by its address, without further data. */
export function token(
  input: CommandInput,
  chain: Chain,
  text: string,
): Token | { readonly address: Address } {
  const known = tokensOf(chain).filter(({ symbol }) => symbol === text)
  const [found] = known
  if (known.length === 1 && found !== undefined) return found
  const address = parseAddress(text)
  if (address !== null) return tokensOf(chain).find((one) => one.address === address) ?? { address }
  const symbols = tokensOf(chain).map(({ symbol }) => symbol)
  throw misused(input, `TOKEN must be one of ${symbols.join(', ')}, or an address, not ${text}`)
}

/** An amount in whole tokens, or in base units, e.g. "5units". May be 0. */
export function amount(
  input: CommandInput,
  name: string,
  text: string,
  decimals: number | null,
): bigint {
  const [, units] = /^([0-9]{1,78})units$/.exec(text) ?? []
  if (units !== undefined) return BigInt(units)
  if (decimals === null) {
    throw misused(
      input,
      `${name} must be in base units, e.g. 5units, because the token is not in the registry`,
    )
  }
  if (/^0(\.0*)?$/.test(text)) return 0n
  const parsed = parseAmount(text, tokenDecimals(decimals))
  if (parsed.ok) return parsed.amount
  throw misused(input, `${name} ${parsed.message}`)
}

/** The same or "unlimited". */
export function limit(input: CommandInput, decimals: number): bigint {
  const text = required(input, 'limit')
  return text === 'unlimited' ? UNLIMITED : amount(input, '--limit', text, decimals)
}

/** Seconds. */
export function span(input: CommandInput, name: string): number {
  const text = required(input, name)
  const seconds = parseDuration(text)
  if (seconds !== null && seconds < 2 ** 32) return seconds
  throw misused(input, `--${name} must be a duration like 48h, 30m or 2d, not ${text}`)
}

export function integer(input: CommandInput, name: string, most: number): number {
  const text = required(input, name)
  if (/^[0-9]{1,10}$/.test(text) && Number(text) <= most) return Number(text)
  throw misused(input, `--${name} must be a whole number up to ${most}, not ${text}`)
}

export function decimalsOption(input: CommandInput): number | null {
  if (!input.values.has('decimals')) return null
  return integer(input, 'decimals', MAX_DECIMALS)
}

export function bytes(input: CommandInput, name: string): Hex {
  const text = required(input, name)
  if (isBytes(text)) return text
  throw misused(input, `--${name} must be bytes in hexadecimal with 0x, not ${text}`)
}

function isBytes(text: string): text is Hex {
  return /^0x(?:[0-9a-fA-F]{2})*$/.test(text)
}
