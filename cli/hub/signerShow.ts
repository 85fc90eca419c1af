import { keccak256, recoverAddress, stringToHex } from 'viem'
import { openSigner } from '../../chain/signers/open.ts'
import { type DigestSigner, SignerError } from '../../chain/signers/signer.ts'
import { checksumAddress, lowerCaseAddress } from '../../core/chain/evm.ts'
import { parseSignerUrl } from '../../core/config/signers.ts'
import { CommandError, type CommandInput, type CommandSpec, misused } from '../terminal/command.ts'
import { columns } from '../terminal/output.ts'

export const signerShow: CommandSpec = {
  words: ['signer', 'show'],
  about: 'Show the address of a key in a key store, and create a test signature.',
  details: `Use the address with \`hub deploy\`, \`hub propose\` and \`relayer add\`. The signed text is valid for no contract,
and the signature is not shown. docs/keys.md describes how to create such keys.`,
  argument: { name: 'URL', about: 'awskms:///…, pkcs11:… or file:///…, as in CONFIG_SIGNER' },
  options: {},
  examples: ['signer show awskms:///alias/remit-config'],
  run: show,
}

/** Not valid for any contract or chain. */
const DIGEST = keccak256(stringToHex('Remit tries whether a key signs.'))

async function show(input: CommandInput) {
  const parsed = parseSignerUrl(input.argument ?? '')
  if (!parsed.ok) throw misused(input, `URL ${parsed.message}`)
  try {
    const signer = await openSigner(parsed.source)
    const tookMs = await trySigning(signer).finally(() => signer.close())
    const address = checksumAddress(signer.address)
    const { store } = signer
    const text = columns([
      ['address', address],
      ['store', store],
      ['signed', `within ${tookMs} ms`],
    ])
    return { json: { address, store, signedWithinMs: tookMs }, text }
  } catch (error) {
    if (!(error instanceof SignerError)) throw error
    throw new CommandError([`the key can't be used: ${error.message}`], { cause: error })
  }
}

/** The time of a signature, in ms. @throws SignerError if there is none, or it is by another key. */
async function trySigning(signer: DigestSigner): Promise<number> {
  const start = performance.now()
  const signature = await signer.sign(DIGEST)
  const tookMs = Math.round(performance.now() - start)
  const recovered = lowerCaseAddress(await recoverAddress({ hash: DIGEST, signature }))
  if (recovered !== signer.address)
    throw new SignerError('refused', 'the signature is by another key')
  return tookMs
}
