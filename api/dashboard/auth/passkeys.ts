import type { PasskeyOptions } from '@better-auth/passkey'
import { APIError } from 'better-auth/api'

/**
 * A passkey stands for both factors, so the device must have verified who holds it (WebAuthn, section
 * 6.1, the flag UV). The library asks for that and accepts answers without it.
 */
export const onlyVerifiedUsers = {
  authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  registration: {
    afterVerification: async ({ verification }) => {
      requireVerified(verification.registrationInfo?.userVerified)
    },
  },
  authentication: {
    afterVerification: async ({ verification }) => {
      requireVerified(verification.authenticationInfo.userVerified)
    },
  },
} as const satisfies PasskeyOptions

function requireVerified(isVerified: boolean | undefined): void {
  if (isVerified === true) return
  throw new APIError('UNAUTHORIZED', {
    code: 'USER_NOT_VERIFIED',
    message: 'The device must ask for its PIN, a finger or a face.',
  })
}
