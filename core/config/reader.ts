import { type FeePolicy, MAX_FEE_BPS } from '../base/fee.ts'
import {
  type BaseUnits,
  baseUnits,
  formatAmount,
  parseAmount,
  type TokenDecimals,
} from '../base/money.ts'
import { type IpNetwork, parseNetwork } from '../base/network.ts'
import { type Address, type Hex, parseAddress, ZERO_ADDRESS } from '../chain/evm.ts'
import type { Environment } from '../chain/table.ts'
import { TOKENS, type TokenSymbol } from '../chain/tokens.ts'

/**
 * Reads variables. All problems are collected, so that an operator can mend them together. A message
 * never repeats the value of a key.
 */

export type Variables = Readonly<Record<string, string | undefined>>

export type ParsedConfig<T> =
  | { readonly ok: true; readonly config: T }
  | { readonly ok: false; readonly problems: readonly string[] }

/** Reads one kind of configuration, which `build` takes from the reader variable by variable. */
export function read<T>(variables: Variables, build: (reader: Reader) => T): ParsedConfig<T> {
  const reader = new Reader(variables)
  const config = build(reader)
  return reader.problems.length === 0
    ? { ok: true, config }
    : { ok: false, problems: reader.problems }
}

const PRIVATE_KEY = /^0x[0-9a-fA-F]{64}$/
const SIGNING_KEYS = [
  'RELAYER_KEYS',
  'CONFIG_SIGNER_KEY',
  'REFUND_SIGNER_KEY',
  'HUB_OWNER_KEY',
  'HUB_GUARDIAN_KEY',
  'HUB_DEPLOYER_KEY',
]
/** Is named like a key, and holds a number. */
const NO_SIGNING_KEY = 'RELAYER_KEYS_PER_WORKER'
const NO_KEY: Hex = '0x'
/** In millionths of a whole token: the registry keeps a fee's ceiling as a uint40. */
const REGISTRY_CAP_MAX = baseUnits(2n ** 40n - 1n)

/** The same without keys that sign and files that hold them: for processes with an open port. */
export function withoutSigningKeys(variables: Variables): Variables {
  return Object.fromEntries(Object.entries(variables).filter(([name]) => !isSigningKey(name)))
}

function isSigningKey(name: string): boolean {
  return name !== NO_SIGNING_KEY && SIGNING_KEYS.some((key) => name.startsWith(key))
}

/** What is wrong with an entry of a list, as the end of "NAME holds ENTRY, ...". */
export class Wrong {
  constructor(readonly problem: string) {}
}

/** Reads variables one by one and remembers what was wrong; a wrong value reads as a harmless one. */
export class Reader {
  readonly problems: string[] = []
  readonly warnings: string[] = []

  constructor(private readonly variables: Variables) {}

  /** What is not as it should be, and does no harm. */
  warning(message: string): void {
    this.warnings.push(message)
  }

  problem(message: string): void {
    this.problems.push(message)
  }

  optional(name: string): string | null {
    const value = this.variables[name]?.trim()
    return value === undefined || value === '' ? null : value
  }

  text(name: string, fallback: string): string {
    return this.optional(name) ?? fallback
  }

  required(name: string, meaning: string): string {
    const value = this.optional(name)
    if (value === null) this.problem(`${name} is missing: set ${meaning}`)
    return value ?? ''
  }

  /** Scheme, host and port of a URL. */
  origin(name: string, fallback: string): string {
    const text = this.text(name, fallback)
    const url = URL.parse(text)
    const isHttp = url?.protocol === 'https:' || url?.protocol === 'http:'
    if (url && isHttp && (text === url.origin || text === `${url.origin}/`)) return url.origin
    this.problem(`${name} must be scheme, host and port, e.g. https://pay.example.com`)
    return fallback
  }

  list(name: string): string[] {
    const parts = (this.optional(name) ?? '').split(',')
    return parts.map((part) => part.trim()).filter((part) => part !== '')
  }

  /** A list whose entries are not secrets, each parsed separately; invalid ones are left out. */
  entries<T>(name: string, parse: (text: string) => T | Wrong): T[] {
    return this.list(name).flatMap((text) => {
      const entry = parse(text)
      if (!(entry instanceof Wrong)) return [entry]
      this.problem(`${name} holds ${text}, ${entry.problem}`)
      return []
    })
  }

  networks(name: string): IpNetwork[] {
    return this.entries(
      name,
      (text) =>
        parseNetwork(text) ?? new Wrong('which is no network: write 10.0.0.0/8 or fd00::/8'),
    )
  }

  lowBalance(): bigint {
    return BigInt(this.integer('RELAYER_LOW_BALANCE_GWEI', 10_000_000, 0)) * 10n ** 9n
  }

  integer(name: string, fallback: number, least: number, most = Number.MAX_SAFE_INTEGER): number {
    const text = this.optional(name)
    if (text === null) return fallback
    const value = Number(text)
    if (/^[0-9]+$/.test(text) && value >= least && value <= most) return value
    const range = most === Number.MAX_SAFE_INTEGER ? `at least ${least}` : `${least} to ${most}`
    this.problem(`${name} must be a whole number, ${range}`)
    return fallback
  }

  onOrOff(name: string, fallback: boolean): boolean {
    const text = this.optional(name)
    if (text === 'on' || text === 'off') return text === 'on'
    if (text !== null) this.problem(`${name} must be on or off`)
    return fallback
  }

  /** A number of days, for which something is kept. */
  days(name: string, { usual, least }: { readonly usual: number; readonly least: number }): number {
    return this.integer(name, usual, least, 36_500)
  }

  environment(): Environment {
    const value = this.text('REMIT_ENV', 'sandbox')
    if (value === 'sandbox' || value === 'live') return value
    this.problem('REMIT_ENV must be sandbox or live')
    return 'sandbox'
  }

  address(name: string): Address {
    const text = this.required(name, 'an EVM address')
    const address = parseAddress(text)
    if (text !== '' && (address === null || address === ZERO_ADDRESS)) {
      this.problem(`${name} must be an EVM address in lower case or with its EIP-55 checksum`)
    }
    return address ?? ZERO_ADDRESS
  }

  addresses(name: string): Address[] {
    return this.list(name).flatMap((text) => {
      const address = parseAddress(text)
      if (address !== null && address !== ZERO_ADDRESS) return [address]
      this.problem(`${name} must hold EVM addresses, or URLs of signers`)
      return []
    })
  }

  /** An amount in major units of a token with these decimals. */
  amount(name: string, fallback: string, decimals: TokenDecimals): BaseUnits {
    const text = this.text(name, fallback)
    if (/^0+(\.0+)?$/.test(text)) return baseUnits(0n)
    const parsed = parseAmount(text, decimals)
    if (parsed.ok) return parsed.amount
    this.problem(`${name} ${parsed.message}`)
    return baseUnits(0n)
  }

  /** The ceiling of a fee that the hub's registry holds, in 40 bits. */
  registryCap(name: string, fallback: string, decimals: TokenDecimals): BaseUnits {
    const cap = this.amount(name, fallback, decimals)
    if (cap <= REGISTRY_CAP_MAX) return cap
    const most = formatAmount(REGISTRY_CAP_MAX, decimals)
    this.problem(`${name} must be at most ${most}: the hub can hold no more`)
    return baseUnits(0n)
  }

  fee(symbol: TokenSymbol): FeePolicy {
    const name = `FEE_CEILING_${symbol}`
    const { decimals } = TOKENS[symbol]
    return {
      rateBps: this.integer(`FEE_BPS_${symbol}`, 50, 0, MAX_FEE_BPS),
      ceiling: this.optional(name) === null ? null : this.amount(name, '0', decimals),
    }
  }

  /** A private key; `signer` is the variable that may name a store for it instead. */
  key(name: string, signer: string): Hex {
    const [key] = this.keys(name)
    if (key === undefined && this.optional(name) === null) {
      this.problem(
        `${name} is missing: set a private key (or ${name}_FILE with the path of one), or ${signer} to the URL of a signer`,
      )
    }
    return key ?? NO_KEY
  }

  keys(name: string): Hex[] {
    const keys = this.list(name)
    const wrong = keys.some((key) => !PRIVATE_KEY.test(key))
    if (wrong) this.problem(`${name} must hold private keys of 32 bytes in hexadecimal, 0x first`)
    return wrong ? [] : keys.map((key): Hex => `0x${key.slice(2)}`)
  }

  refuseSigningKeys(): void {
    const held = Object.keys(this.variables).filter(
      (name) => isSigningKey(name) && this.optional(name) !== null,
    )
    for (const name of held) {
      this.problem(`${name} must not be given to this process: only workers sign`)
    }
  }
}
