import { type PublicClient, parseAbi } from 'viem'
import type { TokenOnChain } from '../../core/chain/tokens.ts'
import { separatorOf } from '../../core/x402/digest.ts'
import { isRevert } from '../hub/contract.ts'

/** The EIP-712 domain of a token that takes EIP-3009 authorizations, as its contract returns it. */
export type ReadDomain =
  | { readonly ok: true; readonly eip712: NonNullable<TokenOnChain['eip712']> }
  /** What is wrong, as the end of a sentence. */
  | { readonly ok: false; readonly problem: string }

const ABI = parseAbi([
  'function name() view returns (string)',
  'function version() view returns (string)',
  'function decimals() view returns (uint8)',
  'function DOMAIN_SEPARATOR() view returns (bytes32)',
])
/** A payer signs it and every 402 repeats it: longer text is no name. */
const MAX_LENGTH = 64

/**
 * Reads a contract's domain (four calls), and believes it only if it has the registry's decimals and its
 * DOMAIN_SEPARATOR is that of name, version, chain and address: what payers sign in another one moves nothing.
 * Throws a fault of the node.
 */
export async function readDomain(
  client: PublicClient,
  { address, decimals }: Pick<TokenOnChain, 'address' | 'decimals'>,
  chainId: number,
): Promise<ReadDomain> {
  const read = { address, abi: ABI } as const
  const [name, version, places, separator] = await Promise.all([
    answer(client.readContract({ ...read, functionName: 'name' })),
    answer(client.readContract({ ...read, functionName: 'version' })),
    answer(client.readContract({ ...read, functionName: 'decimals' })),
    answer(client.readContract({ ...read, functionName: 'DOMAIN_SEPARATOR' })),
  ])
  if (name === null || version === null || places === null || separator === null) {
    return wrong('its contract does not return name, version, decimals and DOMAIN_SEPARATOR')
  }
  if (places !== decimals)
    return wrong(`its contract has ${places} decimals instead of ${decimals}`)
  if (!isText(name) || !isText(version)) {
    return wrong(`its name and version must have 1 to ${MAX_LENGTH} characters`)
  }
  const computed = separatorOf({ name, version, chainId, verifyingContract: address })
  if (separator.toLowerCase() === computed) return { ok: true, eip712: { name, version } }
  return wrong(`its DOMAIN_SEPARATOR is not that of its name "${name}" and version "${version}"`)
}

/** Null when the contract itself gives no such answer. */
async function answer<T>(call: Promise<T>): Promise<T | null> {
  try {
    return await call
  } catch (error) {
    if (isRevert(error)) return null
    throw error
  }
}

function isText(text: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are searched for.
  return text.length >= 1 && text.length <= MAX_LENGTH && !/[\u0000-\u001f\u007f]/.test(text)
}

function wrong(problem: string): ReadDomain {
  return { ok: false, problem }
}
