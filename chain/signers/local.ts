import { privateKeyToAccount, sign } from 'viem/accounts'
import { type Hex, lowerCaseAddress } from '../../core/chain/evm.ts'
import type { DigestSigner } from './signer.ts'

/** A private key in this process. */
export function localSigner(privateKey: Hex): DigestSigner {
  return {
    address: lowerCaseAddress(privateKeyToAccount(privateKey).address),
    store: 'local',
    isImmediate: true,
    async sign(digest) {
      const { r, s, yParity } = await sign({ hash: digest, privateKey })
      return { r, s, yParity: yParity === 1 ? 1 : 0 }
    },
    close() {},
  }
}
