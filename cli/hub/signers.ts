import { nameOf, openSigner } from '../../chain/signers/open.ts'
import { SignerError } from '../../chain/signers/signer.ts'
import type { Address } from '../../core/chain/evm.ts'
import type { Variables } from '../../core/config/reader.ts'
import { isSignerUrl, parseSignerUrl } from '../../core/config/signers.ts'
import { CommandError } from '../terminal/command.ts'

const SIGNERS = /^(CONFIG_SIGNER|REFUND_SIGNER|RELAYER_SIGNERS(_[A-Z0-9_]+)?)$/

/**
 * The variables with URLs of signers replaced by their addresses, which are read from the key stores.
 * @throws CommandError if one of them can't be used.
 */
export async function withSignerAddresses(variables: Variables): Promise<Variables> {
  const resolved: Record<string, string | undefined> = { ...variables }
  for (const [name, value] of Object.entries(variables)) {
    if (!SIGNERS.test(name) || !value) continue
    const parts = value.split(',').map((part) => part.trim())
    const all = parts.map((part) => (isSignerUrl(part) ? addressAt(name, part) : part))
    resolved[name] = (await Promise.all(all)).join(',')
  }
  return resolved
}

async function addressAt(name: string, url: string): Promise<Address> {
  const parsed = parseSignerUrl(url)
  if (!parsed.ok) throw new CommandError([`${name} ${parsed.message}`])
  try {
    const { address, close } = await openSigner(parsed.source)
    close()
    return address
  } catch (error) {
    if (!(error instanceof SignerError)) throw error
    throw new CommandError([`${nameOf(parsed.source)} can't be used: ${error.message}`])
  }
}
