import { MAX_DECIMALS, tokenDecimals } from '../base/money.ts'
import { parseAddress, ZERO_ADDRESS } from '../chain/evm.ts'
import { isOptional } from '../chain/offered.ts'
import { ALL_CHAINS, type Chain } from '../chain/registry.ts'
import type { Token } from '../chain/tokens.ts'
import { type ParsedConfig, type Reader, read, type Variables, Wrong } from './reader.ts'

/**
 * Tokens that invoices can't use and that may be refunded. The operator lists them, because a refund runs the
 * token's code at a relayer's cost, and anyone can deploy a contract that logs a transfer. Symbol and decimals
 * are taken as configured; no contract is read.
 */

const VARIABLE = 'RECOVERABLE_TOKENS'
const FORM = 'base:0x50c5725949A6F0c72E6C4a641F24049A917DB0Cb:DAI:18'
/** Only characters that are safe in text and in spreadsheets. */
const SYMBOL = /^[A-Za-z0-9.$+-]{1,20}$/

interface ReadEntry {
  /** As the operator wrote it. */
  readonly entry: string
  readonly chain: Chain
  readonly token: Token
}

/** Reads what is known about the tokens of every chain, of both environments. */
export function parseRegistry(variables: Variables): ParsedConfig<readonly Chain[]> {
  return read(variables, (reader) => withRecoverable(reader, ALL_CHAINS))
}

/** The chains with the tokens that RECOVERABLE_TOKENS lists on them. */
export function withRecoverable(reader: Reader, chains: readonly Chain[]): readonly Chain[] {
  const listed = new Map<string, Token[]>()
  for (const { entry, chain, token } of reader.entries(VARIABLE, (text) =>
    readEntry(text, chains),
  )) {
    const { networkId } = chain
    if (isOptional(chain, token.address)) {
      reader.warning(ownEntry(entry, chain))
      continue
    }
    const others = listed.get(networkId) ?? []
    if (others.some(({ address }) => address === token.address)) {
      reader.problem(`${VARIABLE} holds ${token.address} on ${networkId} twice`)
    }
    listed.set(networkId, [...others, token])
  }
  return chains.map((chain) => ({ ...chain, recoverable: listed.get(chain.networkId) ?? [] }))
}

function readEntry(entry: string, chains: readonly Chain[]): ReadEntry | Wrong {
  const [networkId, text = '', symbol = '', decimals = '', ...rest] = entry.split(':')
  if (decimals === '' || rest.length > 0) {
    return new Wrong(`which is no token: write chain, address, symbol and decimals, e.g. ${FORM}`)
  }
  const chain = chains.find((candidate) => candidate.networkId === networkId)
  if (!chain)
    return new Wrong(`whose chain is none of ${chains.map((c) => c.networkId).join(', ')}`)
  const address = parseAddress(text)
  if (address === null || address === ZERO_ADDRESS) {
    return new Wrong('whose address must be in lower case or have its EIP-55 checksum')
  }
  const own = chain.tokens.find((token) => token.address === address)
  if (own && !own.isOptional)
    return new Wrong(`which is the ${own.symbol} of ${chain.name} and needs no listing`)
  if (!SYMBOL.test(symbol))
    return new Wrong('whose symbol must be 1 to 20 letters, digits or . $ + -')
  if (!/^[0-9]{1,2}$/.test(decimals) || Number(decimals) > MAX_DECIMALS) {
    return new Wrong(`whose decimals must be a whole number, 0 to ${MAX_DECIMALS}`)
  }
  const token = { symbol, address, decimals: tokenDecimals(Number(decimals)) }
  return { entry, chain, token }
}

/**
 * The registry has it by now, with symbol and decimals of its own: it is recorded and refunded as before,
 * by the limit that the hub has, and the entry adds nothing. A deployment of before must start all the
 * same.
 */
function ownEntry(entry: string, { name }: Chain): string {
  return `${VARIABLE} holds ${entry}, which the registry of ${name} has: the entry is ignored, take it out`
}
